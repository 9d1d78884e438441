// A mail server of tests.
import net from 'node:net';

export interface TakenLetter {
  /** Of the envelope: who sends, and the last recipient. */
  from: string;
  to: string;
  /** The message, with lines that end in one character. */
  text: string;
  /** The message as it came. */
  raw: string;
}

/** A mail server that takes what it is given, or refuses recipients by their name. */
export async function mailServer(): Promise<{ url: string; letters: TakenLetter[]; close(): Promise<void> }> {
  const letters: TakenLetter[] = [];
  const server = net.createServer(socket => {
    let from = '',
      to = '',
      text = '',
      inside = false,
      rest = '';
    socket.write('220 test ESMTP\r\n');
    socket
      .on('error', () => undefined)
      .on('data', chunk => {
        rest += String(chunk);
        for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
          const line = rest.slice(0, end);
          rest = rest.slice(end + 2);
          if (inside) {
            if (line !== '.') {
              text += `${line.replace(/^\./, '')}\n`;
              continue;
            }
            inside = false;
            letters.push({ from, to, text, raw: text.replaceAll('\n', '\r\n') });
            text = '';
            socket.write('250 taken\r\n');
          } else if (/^MAIL/i.test(line)) {
            from = /<(.*?)>/.exec(line)?.[1] ?? '';
            socket.write('250 ok\r\n');
          } else if (/^(EHLO|HELO|RSET|NOOP)/i.test(line)) socket.write('250 ok\r\n');
          else if (/^RCPT/i.test(line)) {
            to = /<(.*)>/.exec(line)?.[1] ?? '';
            socket.write(to.startsWith('unknown') ? '550 no such user\r\n' : to.startsWith('busy') ? '451 later\r\n' : '250 ok\r\n');
          } else if (/^DATA/i.test(line)) {
            inside = true;
            socket.write('354 go on\r\n');
          } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
          else socket.write('250 ok\r\n');
        }
      });
  });
  await new Promise<void>(resolve => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    url: `smtp://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}?ignoreTLS=true`,
    letters,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
      }),
  };
}
