import { describeProvider } from "@toolgate/capability-discovery/testing";
import { serversIniProvider } from "toolgate-example-custom-source";
import { test } from "vitest";

describeProvider(test, () => serversIniProvider, [
  {
    name: "reads the user's and the project's file",
    home: { ".config/servers.ini": "[tickets]\ntype = http\nurl = https://tickets.example/mcp\n" },
    project: {
      "servers.ini": [
        "; of this project",
        "[memory]",
        "command = npx",
        "args[] = -y",
        "args[] = @modelcontextprotocol/server-memory",
        "[memory.env]",
        "MEMORY_FILE_PATH = ${DATA}/memory.json",
        "[broken]",
        "args = none",
      ].join("\n"),
    },
    env: { DATA: "/data" },
    expected: [
      { name: "tickets", level: "user", config: { type: "http", url: "https://tickets.example/mcp" } },
      {
        name: "memory",
        level: "project",
        config: {
          command: "npx",
          args: ["-y", "@modelcontextprotocol/server-memory"],
          env: { MEMORY_FILE_PATH: "/data/memory.json" },
        },
      },
    ],
    warnings: ['Server "broken" is left out'],
  },
]);
