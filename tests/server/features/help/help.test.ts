// The help center: its articles lead to pages that are there, each page of the navigation has one, and questions reach those who answer.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pictureOf, readArticle, readTranslations } from '../../../../scripts/help-plugin.ts';
import { matchRoute } from '../../../../src/admin/features/help/match-route.ts';
import { resourceFor } from '../../../../src/contract/find.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const folder = 'src/admin/features/help/articles';
const articles = readdirSync(folder)
  .filter(file => file.endsWith('.md'))
  .map(file => ({ id: basename(file, '.md'), ...readArticle(readFileSync(join(folder, file), 'utf8'), file) }));
const linksOf = (html: string): string[] => [...html.matchAll(/href="([^"]+)"/g)].map(([, to]) => to!);

describe('help center', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server?.close());

  it('S085 every link of an article leads to a page or an article that is there', () => {
    const { definitions } = server.services;
    for (const { id, pages, html } of articles) {
      for (const to of [...pages, ...linksOf(html)]) {
        const isArticle = to.startsWith('/help/') && articles.some(one => `/help/${one.id}` === to);
        expect(isArticle || resourceFor(definitions, to) !== undefined, `${id}: ${to}`).toBe(true);
      }
    }
    expect(articles.length).toBeGreaterThanOrEqual(25);
  });

  it('S085 an article in German stands for one in English, and leads where that leads', () => {
    const german = readTranslations(folder, 'de');
    for (const [id, { html }] of Object.entries(german))
      expect(linksOf(html), id).toEqual(linksOf(articles.find(one => one.id === id)?.html ?? 'there is none'));
    expect(articles.map(({ id }) => id).filter(id => !german[id])).toEqual([]);
  });

  it('S085 every picture that an article names is there in each language, of a page that is there, and none is left over', () => {
    const { definitions } = server.services;
    const named = articles.flatMap(({ id }) => {
      const address = pictureOf(readFileSync(join(folder, `${id}.md`), 'utf8'));
      return address === undefined ? [] : [{ id, address }];
    });
    for (const { id, address } of named)
      expect(resourceFor(definitions, address.replace('{subscription}', '1')), `${id}: ${address}`).toBeDefined();
    const files = named.map(({ id }) => `${id}.webp`).sort();
    for (const language of ['en', 'de']) expect(readdirSync(`public/pictures/help/${language}`).sort()).toEqual(files);
    expect(files.length).toBeGreaterThan(30);
  });

  it('S085 the nearest article is that of the page, of its list for a record, and none where there is none', () => {
    expect(matchRoute('/settings/shipping-profile/12', articles)).toBe('shipping-profiles');
    expect(matchRoute('/selling-plans/create', articles)).toBe('selling-plans');
    expect(matchRoute('/settings/notifications/emails/PAYMENT_FAILED', articles)).toBe('emails');
    expect(matchRoute('/subscriptions/1', articles)).toBe('manage-subscription');
    expect(matchRoute('/somewhere', articles)).toBeUndefined();
  });

  it('S085 every place of the navigation that is there has an article of its own or that of the page above it', () => {
    const { navigation } = server.services.definitions;
    const places = [...navigation.main, ...navigation.lower]
      .flatMap(entry => [entry, ...(entry.items ?? [])])
      .filter(
        ({ planned, to }) =>
          !planned && resourceFor(server.services.definitions, to) && !['/settings', '/help', '/help/contact'].includes(to),
      );
    for (const { to } of places) expect(matchRoute(to, articles), to).toBeDefined();
    expect(matchRoute('/settings/webhooks/12', articles)).toBe('webhooks');
    expect(matchRoute('/integrations/klaviyo', articles)).toBe('apps');
    expect(matchRoute('/flows/log', articles)).toBe('flows');
    expect(matchRoute('/settings/user-permissions/roles/3', articles)).toBe('users-and-roles');
  });

  it('S085 raw HTML stays text and addresses that run scripts are no links', () => {
    const { html } = readArticle('---\ntitle: A\ngroup: B\n---\n<b>x</b> [y](javascript:alert(1))', 'a.md');
    expect(html).not.toContain('<b>');
    expect(html).not.toContain('href');
    expect(() => readArticle('no head', 'a.md')).toThrow('a.md begins with a head');
  });

  it('S301 a question is written into the outbox once, and not more than ten in an hour', async () => {
    const ask = (n: number, key = `ask-${n}`) =>
      server.call('help.ask', { subject: `Question ${n}`, message: 'How do I move\nall deliveries?' }, { key, as: 'readOnly' });
    expect((await server.call('help.ask', { subject: '', message: '' })).body.errors?.map(({ message }) => message)).toEqual([
      'Say in a few words what it is about.',
      'Write your question.',
    ]);
    // Who answers reads what the store told when it began.
    await server.call('start-up-app.onboardingForm', {
      storeIndustry: 'wine',
      storeBizDetails: 'Natural wine in boxes',
      alreadyRunningSubscriptions: 0,
      previousSubscriptionPlatformName: '',
      referralSource: 'friend',
    });
    expect((await ask(1)).status).toBe(200);
    expect((await ask(1)).status).toBe(200);
    const { rows } = await server.services.db.ownerQuery("select recipient, subject, text from outbox where template = 'HELP_REQUEST'");
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ recipient: 'support@perennial.example', subject: 'Question 1' });
    expect(JSON.stringify(rows[0])).toContain('all deliveries?');
    expect(rows[0]?.text).toContain('What they sell: Natural wine in boxes');
    expect(rows[0]?.text).toContain('How they heard of us: A friend');
    expect(rows[0]?.text).not.toContain('Subscriptions before');
    for (let n = 2; n <= 10; n += 1) expect((await ask(n)).status).toBe(200);
    expect((await ask(11)).body.message).toBe('You have sent 10 questions within an hour. Wait a little before the next one.');
  });
});
