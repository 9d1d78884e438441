// `/_studio` of the development server: the JSON of a definition beside the screen that it makes. It writes files, so it answers only to
// its own page: by a name of this machine, from the same origin, with a header that no foreign page can send.
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Config } from '../platform/config.ts';
import { isOwnHost } from '../platform/http/hosts.ts';
import { isEditable, listFiles, openFile, placeIn, problemsWith, saveFile } from './files.ts';

const MAX_BODY = 2_000_000;

class Refused extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

interface Input {
  file?: unknown;
  text?: unknown;
  revision?: unknown;
  path?: unknown;
  value?: unknown;
}

/** Answers requests below /_studio; false for every other address. */
export function createStudio(root: string, config: Config): (request: IncomingMessage, response: ServerResponse) => boolean {
  const answers: Record<string, (input: Input) => unknown> = {
    files: () => listFiles(root),
    open: input => openFile(root, fileOf(input)) ?? refuse(404, `There is no file ${fileOf(input)}.`),
    check: input => problemsWith(root, fileOf(input), textOf(input)),
    place: input => placeIn(root, fileOf(input), Array.isArray(input.path) ? (input.path as (string | number)[]) : [], input.value),
    save: input => {
      const saved = saveFile(root, fileOf(input), textOf(input), String(input.revision));
      if (saved === 'changed') refuse(409, 'The file was changed elsewhere since it was opened. Open it again, or copy your text first.');
      if (!Array.isArray(saved)) return saved;
      const [{ file: at, line, message } = { file: '', line: 0, message: '' }, ...more] = saved;
      return refuse(422, `Not saved. ${at}, line ${line}: ${message}${more.length ? ` And ${more.length} more, listed below.` : ''}`);
    },
  };
  const answer = async (request: IncomingMessage, response: ServerResponse, name: string): Promise<void> => {
    try {
      if (!isOwnHost(request.headers.host, config)) refuse(403, 'The studio answers by a name of this machine only.');
      if (name === '') {
        const html = readFileSync(join(root, 'src/studio/index.html'), 'utf8');
        response
          .writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': POLICY, 'cache-control': 'no-store' })
          .end(html);
        return;
      }
      const found = Object.hasOwn(answers, name) ? answers[name] : undefined;
      if (!found || request.method !== 'POST') return refuse(404, 'There is nothing at this address of the studio.');
      if (request.headers['x-perennial-studio'] !== '1') refuse(403, 'Only the page of the studio can ask for this.');
      const input = JSON.parse(await readBody(request)) as Input;
      send(response, 200, found(input));
    } catch (error) {
      send(response, error instanceof Refused ? error.status : 400, { message: (error as Error).message });
    }
  };
  return (request, response) => {
    const found = /^\/_studio(?:\/(\w*))?(?:\?.*)?$/.exec(request.url ?? '');
    if (!found) return false;
    void answer(request, response, found[1] ?? '');
    return true;
  };
}

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

function refuse(status: number, message: string): never {
  throw new Refused(status, message);
}

function fileOf({ file }: Input): string {
  return typeof file === 'string' && isEditable(file) ? file : refuse(400, 'The studio opens JSON files below schemas and resources only.');
}

const textOf = ({ text }: Input): string => (typeof text === 'string' ? text : refuse(400, 'A text is missing.'));

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' }).end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY) refuse(413, 'The file is too large for the studio.');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
