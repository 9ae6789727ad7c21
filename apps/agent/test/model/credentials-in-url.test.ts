import { expect, test } from "vitest";

import { chooseModel } from "../../src/model/choose-model.ts";
import { explainFailure } from "../../src/model/explain-failure.ts";
import { providerIds, providerOf } from "../../src/model/providers.ts";

const SECRET = "hunter2-secret";

test.each(providerIds)(
  "an address of %s with a password is refused, and the password is not told",
  async (provider) => {
    const choice = chooseModel({
      named: `${provider}/stand-in`,
      setting: { baseUrls: { [provider]: `http://someone:${SECRET}@127.0.0.1:9/v1` } },
      env: {
        ANTHROPIC_API_KEY: "key-4711",
        OPENAI_API_KEY: "key-4711",
        GEMINI_API_KEY: "key-4711",
        OPENROUTER_API_KEY: "key-4711",
      },
      signal: new AbortController().signal,
    });
    await expect(choice).rejects.toThrow(/must hold no user name and no password/);
    await expect(choice).rejects.not.toThrow(SECRET);
  },
);

test("a key in the query of an address is in no text about a failure", () => {
  const baseUrl = `https://gateway.test/v1?api_key=${SECRET}`;
  const context = { provider: providerOf("openai"), name: "stand-in", baseUrl, apiKey: "" };
  const { message } = explainFailure(new TypeError(`Failed to parse URL from ${baseUrl}/responses`), context);
  expect(message).toContain("Failed to parse URL");
  expect(message).not.toContain(SECRET);
});
