// While the console's code cannot be fetched nothing of it can say so: what index.html shows says it then, asks until the server answers
// again, and opens the page.
{
  let waitMs = 1_000;
  let isWaiting = false;
  const ask = async () => {
    const answer = await fetch('/health', { cache: 'no-store' }).catch(() => null);
    if (answer?.ok) return location.reload();
    waitMs = Math.min(waitMs * 2, 15_000);
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
