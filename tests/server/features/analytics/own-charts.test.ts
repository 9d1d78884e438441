// Charts that people put together themselves: they show what the pages of figures show, to who may look at it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { componentsOf, placesOfMetric } from '../../../../src/contract/analytics.ts';
import { ALL_DIMENSIONS, FILTERS } from '../../../../src/domain/analytics/facts.ts';
import { daysOfChart } from '../../../../src/domain/analytics/own-chart.ts';
import { besideBefore } from '../../../../src/domain/calendar/plain-days.ts';
import { optionsOf } from '../../../../src/contract/paths.ts';
import type { JsonObject, Schema } from '../../../../src/contract/types.ts';
import sharp from 'sharp';
import { sendCharts } from '../../../../src/server/features/analytics/mailed-charts.ts';
import type { Letter } from '../../../../src/server/platform/mail/mail-transport.ts';
import { sendDueMail } from '../../../../src/server/platform/mail/outbox.ts';
import { startTestServer, type Role, type TestServer } from '../../../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ seed: { contracts: 120, stores: 1 } });
});
afterAll(() => server?.close());

const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date());
const fields = (): Record<string, Schema> => server.services.definitions.entities['custom-chart']?.properties ?? {};
const options = (field: string): string[] =>
  optionsOf(fields()[field]?.items ?? fields()[field] ?? {}).flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
const draw = async (record: JsonObject, as: Role = 'owner'): Promise<any> => server.call('custom-charts.draw', { record }, { as });
/** What the member "mixed" may do in an area. */
const allow = (area: string, level: string): Promise<unknown> =>
  server.services.db.ownerQuery(
    'update users set permissions = jsonb_set(permissions, array[$1], to_jsonb($2::text)) where store_id = 1 and id = 1003',
    [area, level],
  );

/** Figures without what they are called: among all metrics some have longer names. */
const unnamed = (data: JsonObject): string => JSON.stringify(data, (key, value: unknown) => (key === 'label' ? undefined : value));

describe('own charts', () => {
  it('offer each filter of pages, splits that are dimensions, and each figure under a name of its own', () => {
    expect(Object.keys(fields().filters?.properties ?? {}).sort()).toEqual(Object.keys(FILTERS).sort());
    for (const split of [...options('by'), ...options('split')]) expect(['time', ...ALL_DIMENSIONS]).toContain(split);
    const names = (fields().metrics?.items?.oneOf ?? []).map(({ title }) => title);
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  });

  it('show what each component of the pages shows that is made of what they offer', async () => {
    let compared = 0;
    const days = besideBefore(daysOfChart('LAST_30_DAYS', today));
    for (const page of Object.values(server.services.definitions.analytics))
      for (const { key, type, metrics, by, split, top, months, inOrder, source } of componentsOf(page)) {
        if (source !== undefined || months !== undefined || inOrder || !options('type').includes(type)) continue;
        if ((by !== undefined && !options('by').includes(by)) || (split !== undefined && !options('split').includes(split))) continue;
        if (!metrics.every(metric => options('metrics').includes(metric)) || metrics.length > 6) continue;
        if (['bar', 'stacked'].includes(type) && by === undefined) continue;
        const typed = { type, metrics: [...metrics], days: 'LAST_30_DAYS', top, ...(by ? { by } : {}), ...(split ? { split } : {}) };
        const own = await draw(typed);
        expect([`${page.key}.${key}`, own.status, own.body.message]).toEqual([`${page.key}.${key}`, 200, own.body.message]);
        const there = await server.call('analytics.chart', { path: `${page.key}.${key}`, ...days });
        expect({ [`${page.key}.${key}`]: unnamed(own.data) }).toEqual({ [`${page.key}.${key}`]: unnamed(there.data) });
        compared++;
      }
    expect(compared).toBeGreaterThan(20);
  }, 120_000);

  it('are drawn or refused with a sentence, whatever is put together', async () => {
    const [metrics, types, bys] = [options('metrics'), options('type'), options('by')];
    expect(metrics.length).toBeGreaterThan(60);
    let [drawn, refused] = [0, 0];
    for (const [i, metric] of metrics.entries())
      for (const [j, type] of types.entries()) {
        const by = bys[(i * 5 + j * 3) % bys.length] as string;
        const answer = await draw({ type, metrics: [metric], by, days: 'LAST_7_DAYS' });
        expect([metric, type, by, answer.status]).toEqual([metric, type, by, 200]);
        if (answer.data.mistake === undefined) drawn++;
        else {
          refused++;
          const saved = await server.call('custom-charts.create', { name: 'No', type, metrics: [metric], by });
          expect([metric, type, by, saved.status, saved.body.errors?.[0]?.message]).toEqual([metric, type, by, 422, answer.data.mistake]);
        }
      }
    expect(drawn).toBeGreaterThan(200);
    expect(refused).toBeGreaterThan(20);
  }, 120_000);

  it('lead to rows that add up, and stand in a file', async () => {
    const record = { name: 'New by plan', type: 'table', metrics: ['new-subscriptions'], by: 'plan', days: 'LAST_90_DAYS', isOnHome: true };
    const made = await server.call('custom-charts.create', record);
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    const id = (made.data as JsonObject).id as number;
    const figures = (await server.call('custom-charts.figures', { id })).data;
    expect(figures).toEqual((await draw(record)).data);
    const [first] = figures.rows;
    expect(first.values[0]).toBeGreaterThan(0);
    const rows = (await server.call('custom-charts.rows', { id, metric: 'new-subscriptions', part: first.key })).data;
    expect(rows.total).toBe(first.values[0]);
    const { text } = await server.request('GET', `/host/v2/customCharts/figures?id=${id}&format=csv`, { as: 'owner' });
    expect(text).toContain(first.label);
    const filtered = (await draw({ ...record, filters: { plan: [Number(first.key)] } })).data;
    expect(filtered.rows).toHaveLength(1);
  });

  it('are seen and changed by their makers, and seen by all once they are shared', async () => {
    const { data } = await server.call('custom-charts.create', { name: 'Mine', type: 'line', metrics: ['revenue'] });
    const id = (data as JsonObject).id as number;
    const asMember = (call: string, input: JsonObject) => server.call(call, input, { as: 'mixed' });
    expect((await asMember('custom-charts.figures', { id })).status).toBe(404);
    expect((await asMember('custom-charts.read', { id })).status).toBe(404);
    await server.call('custom-charts.update', { id, isShared: true });
    expect((await asMember('custom-charts.read', { id })).data).toMatchObject({ name: 'Mine', isMine: false });
    const refused = await asMember('custom-charts.update', { id, name: 'Yours' });
    expect([refused.status, refused.body.code]).toEqual([403, 'FORBIDDEN']);
  });

  it('show nothing that is kept from who looks, whichever person made them', async () => {
    const areas = (metric: string): string[][] => placesOfMetric(server.services.definitions.analytics, metric);
    for (const metric of options('metrics')) expect([metric, areas(metric).length]).not.toEqual([metric, 0]);
    const hidden = options('metrics').filter(metric => areas(metric).every(all => all.includes('cancellationAnalytics')));
    expect(hidden.length).toBeGreaterThan(3);
    const { data } = await server.call('custom-charts.create', {
      name: 'Shared',
      type: 'metrics',
      metrics: [hidden[0] as string],
      isShared: true,
      isOnHome: true,
    });
    await allow('analyticsOverview', 'READ');
    await allow('cancellationAnalytics', 'NO_ACCESS');
    for (const metric of hidden)
      expect([metric, (await draw({ type: 'metrics', metrics: [metric] }, 'mixed')).status]).toEqual([metric, 403]);
    const id = (data as JsonObject).id as number;
    for (const call of ['custom-charts.figures', 'custom-charts.read'])
      expect([call, (await server.call(call, { id }, { as: 'mixed' })).status]).toEqual([call, 404]);
    const listed = await server.call('custom-charts.list', { filter: { isOnHome: true } }, { as: 'mixed' });
    expect([listed.status, listed.data]).toEqual([200, []]);
    expect(
      (await server.call('custom-charts.create', { name: 'X', type: 'metrics', metrics: hidden.slice(0, 1) }, { as: 'mixed' })).status,
    ).toBe(403);
  });

  describe('by e-mail', () => {
    const query = async <T = any>(text: string, params: unknown[] = []): Promise<T[]> =>
      (await server.services.db.ownerQuery<any>(text, params)).rows;
    const [owner, member] = [1001, 1003];
    const record = {
      name: 'Left by plan',
      type: 'table',
      metrics: ['cancelled-by-people'],
      by: 'plan',
      days: 'LAST_12_MONTHS',
      isShared: true,
    };
    const due = (id: number) =>
      query(`update records set data = data || '{"mailNextAt": "2026-01-05T12:00:00Z"}' where store_id = 1 and id = $1`, [id]);
    const letters = (id: number) => query('select * from outbox where dedupe_key like $1 order by id', [`CHART:${id}:%`]);
    const errors = async (input: JsonObject): Promise<string[]> =>
      ((await server.call('custom-charts.create', { ...record, ...input })).body.errors ?? []).map((error: any) => error.message);
    const reads = (id: number) => server.call('custom-charts.read', { id }).then(({ data }) => data);

    beforeAll(async () => {
      await allow('analyticsOverview', 'READ');
      await allow('cancellationAnalytics', 'READ');
      await query("update users set language = 'de' where store_id = 1 and id = $1", [member]);
    });

    it('are sent to people who may look at them, each once a week in their language, with picture, table and file', async () => {
      expect(await errors({ mailDay: 'MONDAY' })).toEqual(['Choose at least one person.']);
      expect(await errors({ mailDay: 'MONDAY', mailTo: [owner, member], isShared: false })).toEqual([
        'Share the chart with the team to send it to others.',
      ]);
      await allow('cancellationAnalytics', 'NO_ACCESS');
      expect((await errors({ mailDay: 'MONDAY', mailTo: [member] }))[0]).toMatch(/ may not look at these figures\.$/);
      const there = async (): Promise<number[]> =>
        (await server.call('custom-charts.people', { metrics: record.metrics })).data.map((one: any) => one.id);
      expect(await there()).toContain(owner);
      expect(await there()).not.toContain(member);
      await allow('cancellationAnalytics', 'READ');
      expect(await there()).toContain(member);
      const made = await server.call('custom-charts.create', { ...record, mailDay: 'MONDAY', mailTo: [owner, member] });
      expect(made.status, JSON.stringify(made.body)).toBe(200);
      const id = (made.data as JsonObject).id as number;
      const next = Date.parse((await reads(id)).mailNextAt);
      expect(new Intl.DateTimeFormat('en-US', { timeZone: 'America/New_York', weekday: 'long', hour: 'numeric' }).format(next)).toMatch(
        /^Monday.*7/,
      );
      expect(next - Date.now()).toBeGreaterThan(0);
      expect(next - Date.now()).toBeLessThan(7.1 * 86_400_000);
      const copy = (await server.call('custom-charts.duplicate', { id })).data as JsonObject;
      expect([copy.mailDay ?? null, copy.mailTo, copy.mailNextAt]).toEqual([null, undefined, undefined]);

      await sendCharts(server.services, 1);
      expect(await letters(id)).toEqual([]);
      await due(id);
      // However many processes see that it is due.
      await Promise.all([1, 2, 3].map(() => sendCharts(server.services, 1)));
      const [toOwner, toMember, ...more] = await letters(id);
      expect(more).toEqual([]);
      expect([toOwner.language, toMember.language]).toEqual(['en', 'de']);
      expect(toOwner.text).toContain('Open the chart:');
      expect(toMember.text).toContain('Diagramm öffnen:');
      expect(toOwner.text).toContain(`/analytics/custom/${id}`);
      const figures = (await server.call('custom-charts.figures', { id })).data;
      const [first] = figures.rows;
      expect(toOwner.text).toContain(`Left by plan | ${figures.columns[0].label}\n${first.label} | ${first.values[0]}`);
      expect(toOwner.html).toContain('src="cid:chart"');
      const carried = await query('select * from mail_attachments where outbox_id = $1 order by no', [toOwner.id]);
      expect(carried.map(({ name, cid, content_type: type }) => [name.replace(/\d+-\d{4}.*\./, '….'), cid, type])).toEqual([
        ['chart.png', 'chart', 'image/png'],
        ['custom-….csv', null, 'text/csv; charset=utf-8'],
      ]);
      const picture = await sharp(carried[0].content).metadata();
      expect([picture.format, picture.width]).toEqual(['png', 1072]);
      const { text } = await server.request('GET', `/host/v2/customCharts/figures?id=${id}&format=csv`, { as: 'owner' });
      expect(Buffer.from(carried[1].content).toString()).toBe(text);
      expect(Date.parse((await reads(id)).mailNextAt)).toBe(next);
    });

    it('wait for who has lost the right or has left, and go on by the clock of now after it has jumped', async () => {
      const { data } = await server.call('custom-charts.create', { ...record, mailDay: 'FRIDAY', mailTo: [owner, member] });
      const id = (data as JsonObject).id as number;
      const sent = async (): Promise<string[]> => {
        const before = (await letters(id)).length;
        await due(id);
        await sendCharts(server.services, 1);
        return (await letters(id)).slice(before).map(({ dedupe_key: key }) => key.split(':').at(-1));
      };
      const days = (day: string) =>
        query('update outbox set dedupe_key = dedupe_key || $2 where dedupe_key like $1', [`CHART:${id}:%`, day]);
      await allow('cancellationAnalytics', 'NO_ACCESS');
      expect(await sent()).toEqual([String(owner)]);
      await days(' 1');
      await allow('cancellationAnalytics', 'READ');
      await query('update users set removed_at = now() where store_id = 1 and id = $1', [member]);
      expect(await sent()).toEqual([String(owner)]);
      await days(' 2');
      expect((await server.call('custom-charts.update', { id, name: 'Still theirs to change' })).status).toBe(200);
      await query('update users set removed_at = null where store_id = 1 and id = $1', [member]);
      expect(await sent()).toEqual([String(owner), String(member)]);
      await days(' 3');
      // Three months later each gets one letter, and the next in a week.
      await query(`update stores set clock_offset_ms = ${90 * 86_400_000} where id = 1`);
      server.services.sessions.forget();
      try {
        await sendCharts(server.services, 1);
        await sendCharts(server.services, 1);
        expect(await letters(id)).toHaveLength(6);
        const ahead = Date.parse((await reads(id)).mailNextAt) - Date.now() - 90 * 86_400_000;
        expect([ahead > 0, ahead < 7.1 * 86_400_000]).toEqual([true, true]);
      } finally {
        await query('update stores set clock_offset_ms = 0 where id = 1');
        server.services.sessions.forget();
      }
    });

    it('are ended by a press of the link in their foot, for its reader alone, and for all with the last one', async () => {
      const { data } = await server.call('custom-charts.create', { ...record, mailDay: 'SUNDAY', mailTo: [owner, member] });
      const id = (data as JsonObject).id as number;
      await due(id);
      await sendCharts(server.services, 1);
      const carried: Letter[] = [];
      const transport = { carry: async (letter: Letter) => void carried.push(letter), close: () => undefined };
      const { db, log, definitions, secrets } = server.services;
      await sendDueMail(db, transport, log, { definitions, secrets, base: '', isTracked: false });
      const mine = carried.filter(({ text }) => text.includes(`/analytics/custom/${id}\n`) || text.includes(`/analytics/custom/${id}`));
      expect(mine).toHaveLength(2);
      const press = async (letter: Letter | undefined, method: 'GET' | 'POST'): Promise<string> => {
        const answer = await server.request(method, letter?.unsubscribe ?? '', {
          as: null,
          ...(method === 'POST'
            ? { body: 'List-Unsubscribe=One-Click', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
            : {}),
        });
        expect([method, answer.status]).toEqual([method, method === 'GET' ? 303 : 200]);
        return answer.text;
      };
      expect(mine[0]?.attachments).toHaveLength(2);
      expect(mine[1]?.text).toContain('Dieses Diagramm nicht mehr an mich senden');
      await press(mine[1], 'GET');
      expect((await reads(id)).mailTo).toEqual([owner, member]);
      expect(await press(mine[1], 'POST')).toContain('<html lang="de"');
      await press(mine[1], 'POST');
      expect(await reads(id)).toMatchObject({ mailTo: [owner], mailDay: 'SUNDAY' });
      await press(mine[0], 'POST');
      const ended = await reads(id);
      expect([ended.mailDay ?? null, ended.mailTo, ended.mailNextAt ?? null]).toEqual([null, undefined, null]);
    });
  });
});
