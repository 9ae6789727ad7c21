import type { CredentialStorage } from "./credential-storage.ts";

/** Settings of {@link createFileCredentialStorage}. */
export interface FileCredentialStorageOptions {
  /** Folder of the files; made with mode 0700 when it is missing. */
  directory: string;
}

/**
 * Keeps sign-ins in files, one per server, mode 0600, named after its host and a hash of its URL.
 *
 * Writes are atomic and under a lock that holds across processes. Nothing is read or loaded before it is used.
 */
export function createFileCredentialStorage(options: FileCredentialStorageOptions): CredentialStorage {
  let files: Promise<CredentialStorage> | undefined;
  const load = () => {
    files ??= import("./credential-files.ts").then(({ CredentialFiles }) => new CredentialFiles(options.directory));
    return files;
  };
  return {
    read: async (key) => (await load()).read(key),
    update: async (key, change) => (await load()).update(key, change),
    delete: async (key) => (await load()).delete(key),
  };
}
