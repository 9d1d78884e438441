// The clock in the page, the same for both candidates: time to the frame with all inputs, from key to frame, from press to error.
import { benchForm } from './schema.ts';

const query = new URLSearchParams(location.search);
export const size = Number(query.get('n') ?? 300);
export const isLive = query.get('live') === '1';
export const { schema, data, inputs } = benchForm(size);
export const root = document.getElementById('root')!;

interface Clock {
  ready: boolean;
  mountMs: number;
  keys: number[];
  waitFor(text: string): Promise<number>;
  mount: (() => void) | undefined;
}
declare global {
  interface Window {
    clock: Clock;
  }
}

/** The moment after the next frame was painted. */
const painted = () =>
  new Promise<number>(resolve =>
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.addEventListener('message', () => resolve(performance.now()));
      port1.start();
      port2.postMessage(0);
    }),
  );
let [keyDown, pressed] = [0, 0];
addEventListener(
  'keydown',
  () => {
    keyDown = performance.now();
  },
  true,
);
addEventListener(
  'pointerdown',
  () => {
    pressed = performance.now();
  },
  true,
);
addEventListener(
  'input',
  () => {
    const from = keyDown;
    void painted().then(at => window.clock.keys.push(at - from));
  },
  true,
);

window.clock = {
  ready: false,
  mountMs: 0,
  keys: [],
  mount: undefined,
  waitFor: text =>
    new Promise(resolve => {
      const look = () => {
        if (document.body.textContent?.includes(text)) void painted().then(at => resolve(at - pressed));
        else requestAnimationFrame(look);
      };
      look();
    }),
};

/** Draws the form and takes the time until at least 95 % of its inputs are there and painted. */
export async function measureMount(mount: () => void): Promise<void> {
  const from = performance.now();
  mount();
  while (root.querySelectorAll('input, select, textarea, [role=combobox]').length < inputs * 0.95) await new Promise(requestAnimationFrame);
  window.clock.mountMs = (await painted()) - from;
  window.clock.ready = true;
}
