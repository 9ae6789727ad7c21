import { Keyv } from "keyv";
import { describe, test } from "vitest";

import { FileStore } from "../src/index.ts";
import { createStoreOf } from "../src/store-adapters.ts";
import { describeToolCacheStore } from "../src/testing.ts";
import { scratchDirectory } from "./support/scratch-directory.ts";

function fileStore() {
  const directory = scratchDirectory();
  return { store: new FileStore({ directory: directory.file("tools") }), close: directory.remove };
}

describe("the embedded store", () => {
  describeToolCacheStore(test, fileStore);
});

describe("the embedded store inside a Keyv", () => {
  describeToolCacheStore(test, () => {
    const { store, close } = fileStore();
    return { store: new Keyv({ store }), close };
  });
});

describe("a Keyv in memory", () => {
  describeToolCacheStore(test, () => ({ store: new Keyv() }));
});

describe("the store named memory:", () => {
  describeToolCacheStore(test, () => ({ store: createStoreOf("memory:") }));
});

describe("a Keyv adapter named by a URI", () => {
  describeToolCacheStore(test, () => {
    const directory = scratchDirectory();
    // Stands for an installed adapter package: same shape, a default export that is constructed with the URI.
    class Adapter extends FileStore {
      constructor(uri: string) {
        super({ directory: directory.file(encodeURIComponent(uri)) });
      }
    }
    return {
      store: createStoreOf("redis://localhost", async () => ({ default: Adapter })),
      close: directory.remove,
    };
  });
});
