/** Lets those who come to it wait until it is opened. */
export function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let arrive = () => {};
  const reached = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const pass = () => {
    arrive();
    return opened;
  };
  return { open, pass, reached };
}
