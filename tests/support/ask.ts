// Requests over HTTP, for tests that send thousands: undici's own form takes half of the processor's time of fetch.
import zlib from 'node:zlib';
import { Agent, request } from 'undici';

const agent = new Agent();
const UNPACK: Record<string, (packed: Buffer) => Buffer> = { br: zlib.brotliDecompressSync, gzip: zlib.gunzipSync };

/** A busy server says when to come back; who does so as often as this is heard, or there is something wrong. */
const COMES_BACK = 10;

export interface Asked {
  status: number;
  ok: boolean;
  headers: Headers;
  text: string;
}

/** Sends a request and reads its answer, unpacked; redirects are not followed, nothing is sent but what is given. */
export async function ask(
  url: string,
  { method, headers = {}, body }: { method: string; headers?: Record<string, string>; body?: string | Uint8Array },
): Promise<Asked> {
  const answer = await request(url, { dispatcher: agent, method: method as 'GET', headers, body: body ?? null });
  const sent = Buffer.from(await answer.body.arrayBuffer());
  const text = (UNPACK[String(answer.headers['content-encoding'])]?.(sent) ?? sent).toString();
  const told = new Headers();
  for (const [name, value] of Object.entries(answer.headers))
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) told.append(name, one);
  const { statusCode: status } = answer;
  return { status, ok: status >= 200 && status < 300, headers: told, text };
}

/** The same, as a client does that comes back when the answer asks for it: a server that is busy (503 with Retry-After) is asked again. */
export async function askAgain(url: string, given: Parameters<typeof ask>[1]): Promise<Asked> {
  let answer = await ask(url, given);
  for (let i = 0; i < COMES_BACK && answer.status === 503; i++) {
    const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN);
    if (!(seconds >= 0)) break;
    await new Promise(done => setTimeout(done, seconds * 1000));
    answer = await ask(url, given);
  }
  return answer;
}
