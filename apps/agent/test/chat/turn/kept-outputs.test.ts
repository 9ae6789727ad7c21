import { expect, test } from "vitest";

import { KeptOutputs } from "../../../src/chat/turn/kept-outputs.ts";

test("the last output is shown whole, or the one that is so many from the end", () => {
  const outputs = new KeptOutputs();
  expect(outputs.show("")).toBe("No output was longer than what is shown of it.");
  for (let number = 1; number <= 25; number += 1) outputs.add(`output ${number}`);
  expect([outputs.show(""), outputs.show("1"), outputs.show("3")]).toEqual(["output 25", "output 25", "output 23"]);
  expect(outputs.show("20")).toBe("output 6");
  for (const number of ["0", "21"]) expect(outputs.show(number)).toBe("20 outputs kept: /output 1 shows the last one.");
  expect(outputs.show("all")).toContain("/output takes a number");
});
