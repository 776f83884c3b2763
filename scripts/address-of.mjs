/** Where a server listens that was started as a child, as it says itself. @throws where it ends before, with what it said */
export function addressOf(child) {
  return new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (text) => {
      said += text;
      const address = /is running at (\S+)/.exec(said)?.[1];
      if (address) resolve(address);
    });
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}:\n${said}`)));
  });
}
