export { abortable } from "./abortable.ts";
