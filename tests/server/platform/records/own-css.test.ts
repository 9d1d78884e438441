// CSS of a store's own: whatever looks is taken, whatever loads is refused, in whatever way it is hidden.
import { describe, expect, it } from 'vitest';
import { cssProblem } from '../../../../src/server/platform/records/own-css.ts';
import { policyFor, policySource } from '../../../../src/server/platform/http/public-pages.ts';

describe('CSS of a store’s own', () => {
  it.each([
    '@import "//x"',
    '@IMPORT url(//x);',
    '@\\69mport "//x";',
    '@font-face{font-family:a;src:url(//x)}',
    '@namespace url(//x);',
    '@charset "utf-8";',
    '@property --a{syntax:"<url>";inherits:false;initial-value:url(//x)}',
    'a{content:"/*";background:url(//x)}b{content:"*/"}',
    'a{content:\'/*\'}input[value^="a"]{background:url(//x?a)}/**/',
    'a{background:URL(//x)}',
    'a{background:u\\72l(//x)}',
    'a{background:\\75\\72\\6c("//x")}',
    'a{background:image-set("//x" 1x)}',
    'a{background:-webkit-image-set("//x" 1x)}',
    'a{background:cross-fade(red,"//x")}',
    'a{background:src("//x")}',
    'a{background:element(#b)}',
    'a{background:paint(b)}',
    'a{--b:url(//x);background:var(--b)}',
    'a{--b:{c:url(//x)}}',
    '@media screen{a{background:url(//x)}}',
    '@supports (background:url(//x)){a{color:red}}',
    'a{b{background:url(//x)}}',
    'a{behavior:expression(alert(1))}',
    'a{-moz-binding:none}',
    'a{width:expression(alert(1))}',
    'a{colr:red}',
    'a{',
    'a{}}',
    '/* a',
    'a{content:"b',
    'a{color:red}b{c',
    '('.repeat(20_000),
    'a{'.repeat(15_000),
  ])('%s is refused', css => {
    expect(cssProblem(css)).toMatch(/^(Leave out|Line \d+ can't be read|A comment)/);
  });

  it.each([
    '',
    '.products{opacity:.9}',
    ':root{--accent:#1f5132;--gap:calc(1rem + 2px)}.a{color:var(--accent);gap:var(--gap)}',
    '@media (min-width:600px) and (prefers-color-scheme:dark){nav a:hover::before{content:"→ /* no comment */"}}',
    '@supports (display:grid){.a{display:grid;grid-template-columns:repeat(2,minmax(0,1fr))}}',
    '@keyframes turn{from{transform:rotate(0)}to{transform:rotate(1turn)}}.a{animation:turn 1s steps(4) infinite}',
    '.a{background:linear-gradient(90deg,rgb(0 0 0/.5),#fff);filter:drop-shadow(0 1px 2px #0003)}',
    'h2.item>a[href]:not(.x):nth-child(2n+1){-webkit-user-select:none;user-select:none;margin:0 !important}',
    '/* A comment. */\n.a { font: 600 1rem/1.5 Georgia, serif }',
  ])('%s is taken', css => {
    expect(cssProblem(css)).toBeUndefined();
  });
});

describe('the policy of customers’ pages', () => {
  it('names the pictures that the page shows, and nothing that an address adds to it', () => {
    expect(policyFor({ html: '<p>Hi</p>' })).toContain("; img-src 'self'; font-src 'none'; form-action 'self'; ");
    const shown = policyFor({ html: '<img src="https://cdn.example/a;script-src,b.png?v=1&#38;w=2" alt="">' });
    expect(shown).toContain("img-src 'self' https://cdn.example/a%3Bscript-src%2Cb.png;");
    expect(policyFor({ html: '', formAction: 'https://shop.example/a b;c' })).toContain("form-action 'self' https://shop.example/;");
    expect(policyFor({ html: '', formAction: 'https://a;script-src.example/' })).not.toContain(';script-src');
    for (const address of ['javascript:alert(1)', 'not an address', 'https://a;b/']) expect(policySource(address)).toBe('');
  });
});
