export type { DiscoveryWarning, DiscoveryWarningKind } from "@toolgate/contracts";
export { defineCapability, defineProvider, LEVEL_RANK } from "./capability.ts";
export type {
  Capability,
  CapabilityProvider,
  CapabilityResult,
  LoadContext,
  ProviderItem,
  ProviderResult,
  ProviderSource,
  Shadowed,
  Sourced,
  SourceFile,
} from "./capability.ts";
export { MAX_CONFIG_FILE_BYTES } from "./config-file.ts";
export type { EntryField, EntryRules } from "./convert-entry.ts";
export { copyServer } from "./copy-server.ts";
export type { CopyResult, CopyServerOptions } from "./copy-server.ts";
export type { EditResult } from "./edit-json-file.ts";
export type { EntryHook, EntryTools } from "./entry-item.ts";
export { createFileProvider } from "./file-provider.ts";
export type {
  FileLocation,
  FileLocations,
  FileProvider,
  FileProviderOptions,
  FileRules,
  FileScope,
  FinishTools,
  ServerGroup,
  ServerProviderItem,
  ServersLocator,
  WarningDetails,
} from "./file-provider.ts";
export type { ExpansionRules, ReferenceForm } from "./interpolate.ts";
export { loadPlugins } from "./load-plugins.ts";
export type { LoadedPlugins, LoadPluginsOptions } from "./load-plugins.ts";
export { locateEntry } from "./locate-entry.ts";
export type { EntryLocation, EntryPlace } from "./locate-entry.ts";
export { loadNativeSettings } from "./native-settings.ts";
export type { NativeMCPSettings, NativeSettings, NativeSettingsResult, RestrictedSettings } from "./native-settings.ts";
export type { ConfigFormat, ConfigParser } from "./parse-config.ts";
export { findProjectFolders } from "./places.ts";
export type { Places } from "./places.ts";
export { definePlugin } from "./plugin.ts";
export type { PluginModule, ToolgatePlugin } from "./plugin.ts";
export type { DiscoveryClock } from "./provider-deadline.ts";
export { mcpProviders } from "./providers/builtin-providers.ts";
export { readPastedServers } from "./read-pasted-servers.ts";
export type { PastedServer, PastedServers, ReadPastedOptions } from "./read-pasted-servers.ts";
export { createCapabilityRegistry } from "./registry.ts";
export type { CapabilityRegistry, LoadOptions, ProviderDescription, SourceOptions } from "./registry.ts";
export { mcpCapability } from "./server-item.ts";
export type { MCPServerItem } from "./server-item.ts";
export {
  addServer,
  findNativeUserFile,
  removeServer,
  setServerDisabledOverlay,
  setServerEnabled,
} from "./write-servers.ts";
export type { AddServerOptions, EnableServerOptions, WriteOptions } from "./write-servers.ts";
export type { WriteRules } from "./write-rules.ts";
export { findDeclaredPlace, findWriteTarget, listWritableProviders } from "./write-target.ts";
export type {
  DeclaredPlace,
  TargetOptions,
  WritableProvider,
  WriteLevel,
  WriteTarget,
  WriteTargetOptions,
} from "./write-target.ts";
