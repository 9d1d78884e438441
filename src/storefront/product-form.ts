// The form of a product page around a widget: which variant is chosen, the plan that is sent with it, and where adding to the cart leads.

/** How long a second press counts as a double click, where the page stays (ms). */
const TWICE_MS = 3000;

/** Calls back when the variant of a form may have changed: by a person, or by a script that sets a hidden field. */
export function watchVariant(form: HTMLFormElement, changed: () => void): () => void {
  form.addEventListener('change', changed);
  const observer = new MutationObserver(changed);
  // Only what is written into a hidden field becomes an attribute.
  observer.observe(form, { subtree: true, attributes: true, attributeFilter: ['value'] });
  return () => {
    form.removeEventListener('change', changed);
    observer.disconnect();
  };
}

/** The platform's number of the variant that a form would send. */
export function variantIn(form: HTMLFormElement | null): string | undefined {
  const value = form ? new FormData(form).get('id') : null;
  return typeof value === 'string' && value ? value : undefined;
}

/** The button that sends a form, other than one of ours. */
export const buttonOf = (form: HTMLFormElement | null): HTMLButtonElement | HTMLInputElement | null =>
  form?.querySelector<HTMLButtonElement | HTMLInputElement>('button:not([type]), button[type=submit], input[type=submit]') ?? null;

export interface Sending {
  /** The address to go to once it is in the cart; undefined: whatever the form leads to. */
  goal(): string | undefined;
  failed(): void;
}

/** Sends a form once, however often it is pressed, and goes to the cart or the checkout where that is wanted. */
export function watchSending(form: HTMLFormElement, { goal, failed }: Sending): () => void {
  let isSending = false;
  const rest = (): void => {
    isSending = false;
  };
  const submit = (event: SubmitEvent): void => {
    // Another script of the page adds to the cart by itself.
    if (event.defaultPrevented) return;
    if (isSending) {
      event.preventDefault();
      return;
    }
    isSending = true;
    const address = form.method === 'post' ? goal() : undefined;
    if (address === undefined) {
      setTimeout(rest, TWICE_MS);
      return;
    }
    event.preventDefault();
    void add(form, event.submitter).then(
      isAdded => {
        // What the shop refuses, its own page explains: nothing was added, so the form goes its usual way.
        if (isAdded) window.location.assign(address);
        else form.submit();
      },
      () => {
        rest();
        failed();
      },
    );
  };
  form.addEventListener('submit', submit);
  // Back from the next page, the form may be sent again.
  window.addEventListener('pageshow', rest);
  return () => {
    form.removeEventListener('submit', submit);
    window.removeEventListener('pageshow', rest);
  };
}

async function add(form: HTMLFormElement, submitter: HTMLElement | null): Promise<boolean> {
  const data = new FormData(form, submitter);
  const isFile = form.enctype === 'multipart/form-data';
  const texts = [...data].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
  const answer = await fetch(form.action, {
    method: 'post',
    body: isFile ? data : new URLSearchParams(texts),
    credentials: 'same-origin',
    // A form is answered with the address of the next page: that it was added is all we need to know.
    redirect: 'manual',
  });
  return answer.ok || answer.type === 'opaqueredirect';
}
