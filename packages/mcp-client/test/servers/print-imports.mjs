/** Prints the address of each module that is loaded to the error output; given to Node.js by `--import`. */
import { register } from "node:module";

const hooks = `
  import { writeSync } from "node:fs";
  export function load(url, context, nextLoad) {
    writeSync(2, url + "\\n");
    return nextLoad(url, context);
  }
`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
