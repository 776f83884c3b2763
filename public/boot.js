// While the console's code cannot be fetched nothing of it can say so: what index.html shows says it then, asks until the server answers
// again, and opens the page. Where it opens without its code over and over, it does so more and more seldom.
{
  const key = 'bootWaitMs';
  const waitMsMax = 60_000;
  let waitMs = 1_000;
  try {
    waitMs = Number(sessionStorage.getItem(key)) || waitMs;
  } catch {
    // Storage may be forbidden.
  }
  let isWaiting = false;
  const open = () => {
    try {
      sessionStorage.setItem(key, String(Math.min(waitMs * 2, waitMsMax)));
    } catch {
      // As above.
    }
    location.reload();
  };
  const ask = async () => {
    const answer = await fetch('/health', { cache: 'no-store' }).catch(() => null);
    if (answer?.ok) return open();
    waitMs = Math.max(waitMs, Math.min(waitMs * 2, 15_000));
    setTimeout(ask, waitMs);
  };
  addEventListener(
    'error',
    ({ target }) => {
      const words = document.querySelector('.vx-boot p');
      if (!words || isWaiting || !(target instanceof HTMLScriptElement)) return;
      isWaiting = true;
      words.textContent = 'The server cannot be reached. This page opens by itself when it is back.';
      words.setAttribute('role', 'status');
      setTimeout(ask, waitMs);
      addEventListener('online', ask);
    },
    { capture: true },
  );
}
