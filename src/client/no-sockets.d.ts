/** Stands for `ws`, which the tRPC client's types name: its types would bring Node's globals (`Buffer`, `process`) into the console. */
export {};
