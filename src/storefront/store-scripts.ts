// Scripts that the merchant wants on pages of the shop (script tags), after everything that shoppers wait for.

/** Of the file of what concerns the whole shop. */
interface StoreScript {
  src: string | null;
  displayScope: string;
}

/** Loads the scripts for this kind of page, each once. */
export async function loadStoreScripts(scripts: () => Promise<readonly StoreScript[]>, isOrderStatus: boolean): Promise<void> {
  // What elements read comes first, also on a page that is there already.
  await undefined;
  if (document.readyState !== 'complete') await new Promise(resolve => window.addEventListener('load', resolve, { once: true }));
  const scope = isOrderStatus ? 'ORDER_STATUS' : 'ONLINE_STORE';
  for (const { src, displayScope } of await scripts()) {
    if (!src || (displayScope !== 'ALL' && displayScope !== scope)) continue;
    if ([...document.scripts].some(one => one.src === src)) continue;
    const script = document.createElement('script');
    script.async = true;
    script.src = src;
    document.head.append(script);
  }
}
