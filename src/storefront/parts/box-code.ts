// The JavaScript of a box, in a frame below it without rights: it gets what is in the box, and draws in its frame alone.
import { h } from '../dom.ts';
import type { ToCode } from '../code-frame.ts';

/** No code makes the page endless. */
const HIGHEST = 1200;

export interface BoxCode {
  frame: HTMLIFrameElement;
  /** Tells the code what happened; what happens before the frame is there waits for it. */
  tell(event: string, detail: unknown): void;
}

/** The frame of `code`; `address` is that of its page, `title` what people who can't see it hear of it. */
export function boxCode(code: string, address: string, title: string): BoxCode {
  const frame = h('iframe', { src: address, title, sandbox: 'allow-scripts' });
  frame.style.cssText = 'display:block;width:100%;border:0;height:0';
  const waiting: ToCode[] = [{ run: code }];
  let isThere = false;
  const send = (message: ToCode): void => frame.contentWindow?.postMessage(message, '*');
  const hear = ({ source, data }: MessageEvent<{ height?: number }>): void => {
    if (!frame.isConnected) return removeEventListener('message', hear);
    if (source !== frame.contentWindow) return;
    isThere = true;
    for (const message of waiting.splice(0)) send(message);
    frame.style.height = `${Math.min(HIGHEST, Math.max(0, Number(data.height) || 0))}px`;
  };
  addEventListener('message', hear);
  return {
    frame,
    tell(event, detail) {
      const message: ToCode = { event, detail };
      if (isThere) send(message);
      else waiting.push(message);
    },
  };
}
