import { isSecretName } from "@toolgate/contracts";

// Beginnings that services give to their tokens, so that such a text is a secret wherever it stands.
const TOKENS = new RegExp(
  `(?<![A-Za-z0-9])(?:${[
    "gh[pousr]_[A-Za-z0-9]{16,}",
    "github_pat_\\w{20,}",
    "glpat-[\\w-]{16,}",
    "sk-[\\w-]{16,}",
    "[sr]k_(?:live|test)_[A-Za-z0-9]{10,}",
    "xox[abeoprs]-[A-Za-z0-9-]{10,}",
    "xapp-[A-Za-z0-9-]{10,}",
    "(?:AKIA|ASIA)[A-Z0-9]{16}",
    "AIza[\\w-]{30,}",
    "(?:npm|hf)_[A-Za-z0-9]{20,}",
    "lin_api_[A-Za-z0-9]{16,}",
    "(?:ntn|secret)_[A-Za-z0-9]{30,}",
    "eyJ[\\w-]{10,}\\.eyJ[\\w-]{10,}\\.[\\w-]*",
    "-----BEGIN [A-Z ]*PRIVATE KEY-----",
  ].join("|")})`,
);
const STRONG_NAME = /passw|pwd|secret|token|authorization|(?:api|access|private|secret)[-_]?key/i;
/** Names that speak of a secret and hold something about it. */
const HARMLESS_NAME =
  /(?:^max|public|tokeniz|(?:file|path|dir|url|uri|endpoint|type|limit|limits|id|name|ttl|timeout|count|size|method|mode|host|port|region|scheme|scopes?|algorithm|format|prefix|issuer|audience|provider|enabled)$)/i;

/** Whether a text holds the token of a service that is known by its beginning. */
export function holdsKnownToken(text: string): boolean {
  const [token] = TOKENS.exec(text) ?? [];
  return token !== undefined && !isPlaceholder(token);
}

/** Whether the value of a name is a secret that stands there in plain text. */
export function isPlainSecret(name: string, text: string): boolean {
  const literal = removeReferences(text);
  if (holdsKnownToken(literal)) return true;
  const value = literal.replace(/^(?:bearer|basic|token|apikey)\s+/i, "").trim();
  if (!isSecretName(name) || HARMLESS_NAME.test(name)) return false;
  if (value.startsWith("!") || /\s/.test(value) || isPlaceholder(value) || isPathOrAddress(value)) return false;
  if (/^\d+$/.test(value)) return /passw|pwd|secret/i.test(name) && value.length >= 4;
  if (STRONG_NAME.test(name)) return value.length >= 6;
  return value.length >= 20 || (value.length >= 12 && /\d/.test(value) && /[A-Za-z]/.test(value));
}

/**
 * The text without references of any client's form, because one that a client does not expand is no secret either. What
 * a reference falls back to is part of the text.
 */
export function removeReferences(text: string): string {
  return text
    .replaceAll(/\$\{\w+:-([^{}]*)\}/g, "$1")
    .replaceAll(/\$\{\{[^}]*\}\}|\$\{[^}]*\}|\{(?:env|file):[^}]*\}|%[A-Za-z_]\w*%/g, "")
    .replace(/(^|\s)\$(?:env:)?[A-Za-z_]\w*$/, "$1");
}

/** Whether a text stands for a value that someone is to fill in, or names a variable. */
export function isPlaceholder(text: string): boolean {
  return (
    text === "" ||
    /^[<[{(].*[>\]})]$/.test(text) ||
    /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(text) ||
    /([x*0.…-])\1{2,}|…|<[^>]*>/i.test(text) ||
    /(?:^|[^a-z])(?:your|insert|paste|replace|change|changeme|example|sample|placeholder|dummy|fake|todo|redacted)(?:[^a-z]|$)/i.test(
      text,
    ) ||
    /example$/i.test(text) ||
    /^(?:secret|password|passwd|token|api[-_]?key|key|test|true|false|none|null|undefined|oauth2?|bearer|basic|admin|root|user|guest|postgres)$/i.test(
      text,
    )
  );
}

function isPathOrAddress(text: string): boolean {
  return /^(?:[.~]{0,2}[\\/]|[A-Za-z]:[\\/]|[a-z][a-z0-9+.-]*:\/\/)/i.test(text);
}
