// A foreign server, on this machine: records what it gets and answers as the test sets it.
import http from 'node:http';

export interface Received {
  method: string;
  path: string;
  headers: http.IncomingHttpHeaders;
  body: string;
}
export interface Receiver {
  url: string;
  port: number;
  received: Received[];
  /** What the next requests are answered; 200 by default. */
  answer: (request: Received) => { status: number; headers?: Record<string, string>; body?: string } | 'never';
  close(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const receiver: Receiver = { url: '', port: 0, received: [], answer: () => ({ status: 200 }), close: async () => undefined };
  const server = http.createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (part: string) => {
      body += part;
    });
    request.on('end', () => {
      const got = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body };
      receiver.received.push(got);
      const answer = receiver.answer(got);
      if (answer === 'never') return;
      response.writeHead(answer.status, answer.headers).end(answer.body ?? '');
    });
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  receiver.port = (server.address() as { port: number }).port;
  receiver.url = `http://127.0.0.1:${receiver.port}`;
  receiver.close = () =>
    new Promise(resolve => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return receiver;
}
