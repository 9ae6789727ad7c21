/** Text for the model or the person. */
export interface TextContent {
  type: "text";
  text: string;
  annotations?: Record<string, unknown>;
  _meta?: Record<string, unknown>;
}

/** An image, base64. */
export interface ImageContent {
  type: "image";
  data: string;
  mimeType: string;
  annotations?: Record<string, unknown>;
  _meta?: Record<string, unknown>;
}

/** A sound, base64. */
export interface AudioContent {
  type: "audio";
  data: string;
  mimeType: string;
  annotations?: Record<string, unknown>;
  _meta?: Record<string, unknown>;
}

/** A resource given in full: `text` or base64 `blob`. */
export interface EmbeddedResource {
  type: "resource";
  resource: { uri: string; mimeType?: string; text?: string; blob?: string; _meta?: Record<string, unknown> };
  annotations?: Record<string, unknown>;
  _meta?: Record<string, unknown>;
}

/** A resource named, to be read later. */
export interface ResourceLink {
  type: "resource_link";
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  annotations?: Record<string, unknown>;
  _meta?: Record<string, unknown>;
}

/** One piece of a tool's answer, in the protocol's own shape. */
export type ContentBlock = TextContent | ImageContent | AudioContent | EmbeddedResource | ResourceLink;
