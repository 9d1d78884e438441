// What the reading calls show without a right: their bodies beside those with every right, field by field, for every area. The matrix of rights looks
// at 403 alone; a call that is allowed may still show what belongs to another area.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'csv-parse/sync';
import { isFormula } from '../../../../src/domain/csv/guard.ts';
import { componentsOf } from '../../../../src/contract/analytics.ts';
import { isRead } from '../../../../src/contract/calls.ts';
import type { Call, JsonObject } from '../../../../src/contract/types.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { Looks, type Shown } from '../../../support/shown.ts';
import { MARKS, setScene } from './shown-scene.ts';
import { MAY_DIFFER } from './shown-places.ts';

describe('without READ of an area', () => {
  let server: TestServer;
  let looks: Looks;
  let token: string;
  let whole: Map<string, Shown>;
  beforeAll(async () => {
    server = await startTestServer({ seed: { contracts: 60, stores: 1 }, jobs: true, config: { workers: 0 } });
    looks = new Looks(server, await setScene(server, 1004));
    token = await server.signIn('readOnly');
    whole = await looks.whole(token);
  }, 300_000);
  afterAll(() => server?.close());

  it('the scene shows every call, and each mark to who may see it', () => {
    expect(looks.unasked).toEqual([]);
    const refused = [...whole].filter(([, { status }]) => status !== 200).map(([name, { text }]) => `${name} ${text}`);
    // All data of the store is for its owner alone.
    expect(refused.filter(one => !/^(clock\.run|store-data\.exportStore) /.test(one))).toEqual([]);
    for (const mark of Object.keys(MARKS))
      expect({ mark, isShown: [...whole.values()].some(({ text }) => text.includes(mark)) }).toEqual({ mark, isShown: true });
  });

  it('calls show the same as with it, but for what is listed, and nothing that is marked as its own', async () => {
    const found: Record<string, Record<string, string[]>> = {};
    const leaks = new Set<string>();
    /** What a call shows otherwise while areas are missing. */
    const differing = async (call: Call, missing: string[]): Promise<string[]> => {
      const shown = await looks.ask(call, token);
      const before = whole.get(call.name) as Shown;
      for (const [mark, of] of Object.entries(MARKS))
        if (missing.includes(of) && shown.text.includes(mark)) leaks.add(`${of}: ${call.name} shows ${mark}`);
      return shown.status === before.status ? looks.differing(call, before, shown) : [String(shown.status)];
    };
    // All areas are taken away at once, but for a call's own, without which it is refused (the matrix of rights says so). What shows the same then shows the
    // same without each of them; for what differs it is halved again and again which areas they are.
    const without = (call: Call, areas: string[]): string[] => areas.filter(area => area !== call.permission && !call.also?.includes(area));
    const search = async (calls: readonly Call[], areas: string[]): Promise<void> => {
      const alike = new Map<string, Call[]>();
      for (const call of calls) {
        const key = without(call, areas).join();
        alike.set(key, [...(alike.get(key) ?? []), call]);
      }
      const differ: Call[] = [];
      for (const some of alike.values()) {
        const missing = without(some[0]!, areas);
        if (missing.length === 0) continue;
        await looks.grant(...missing);
        for (const call of some) {
          const places = await differing(call, missing);
          if (places.length === 0) continue;
          if (missing.length > 1) differ.push(call);
          else (found[missing[0]!] ??= {})[call.name] = places;
        }
      }
      if (differ.length === 0) return;
      await search(differ, areas.slice(0, areas.length / 2));
      await search(differ, areas.slice(areas.length / 2));
    };
    await search(looks.calls, looks.areas);
    expect([...leaks]).toEqual([]);
    expect(found).toEqual(MAY_DIFFER);
  }, 900_000);

  it('every chart and every report is closed without each of its areas', async () => {
    const { analytics, reports, calls } = server.services.definitions;
    type Asked = [call: string, input: JsonObject];
    const byArea: Record<string, Asked[]> = {};
    const needs = (areas: (string | undefined)[], asked: Asked[]): void => {
      for (const area of new Set(areas)) if (area) (byArea[area] ??= []).push(...asked);
    };
    for (const page of Object.values(analytics)) {
      needs([page.permission], [['analytics.pageConfig', { page: page.key }]]);
      for (const component of componentsOf(page)) {
        const path = `${page.key}.${component.key}`;
        needs(
          [page.permission, component.permission],
          [
            ['analytics.chart', { path }],
            ['analytics.chartOf', { path, format: 'csv' }],
            ['analytics.components', { keys: [path] }],
          ],
        );
      }
    }
    for (const { key, permission, also = [] } of Object.values(reports)) {
      const rows = ['reports.read', 'reports.filters', 'reports.data', 'reports.count'].map((call): Asked => [call, { key }]);
      const files: Asked[] = [
        ['reports.export', { key }],
        [`report-${key}.export`, {}],
      ];
      needs(['viewReports', permission, ...also], [...rows, [`report-${key}.list`, {}], ...files]);
      needs(['exportReports'], files);
    }
    const open: string[] = [];
    for (const [area, asked] of Object.entries(byArea)) {
      await looks.grant(area);
      for (const [name, input] of asked) {
        const { status } = await looks.ask(calls[name] as Call, token, input);
        if (status !== 403) open.push(`${name} ${JSON.stringify(input)} without ${area}: ${status}`);
      }
    }
    expect(open).toEqual([]);
    // What they are about is among their areas.
    const areasOf = (key: string): string[] => [reports[key]?.permission ?? '', ...(reports[key]?.also ?? [])];
    expect(areasOf('recovery')).toContain('dunningAnalytics');
    expect(areasOf('payment_failure')).toContain('dunningAnalytics');
    expect(areasOf('cancellation_log')).toContain('cancellationAnalytics');
  });

  // Behind what compares with the first look: it changes names and notes.
  it('every call that answers CSV writes it in the one way: with a byte order mark, commas and no formula', async () => {
    await server.services.db.ownerQuery("update contracts set customer_name = '＝1+1', note = E'\\tx' where store_id = 1");
    await server.services.db.ownerQuery("update customers set first_name = '＝1+1', last_name = E'\\r1' where store_id = 1");
    await looks.grant();
    const wrong: string[] = [];
    const seen: string[] = [];
    for (const call of looks.calls) {
      const format = call.in
        .find(({ name }) => name === 'format')
        ?.schema.oneOf?.find(({ const: one }) => /^csv$/i.test(String(one)))?.const;
      if (!whole.get(call.name)?.isCsv && format === undefined) continue;
      const { status, text, isCsv } = await looks.ask(call, token, { ...looks.inputOf(call), ...(format === undefined ? {} : { format }) });
      if (status !== 200 || !isCsv) wrong.push(`${call.name}: ${status}, ${isCsv ? 'CSV' : 'no CSV'}`);
      if (!text.startsWith('\uFEFF')) wrong.push(`${call.name}: no byte order mark`);
      const cells = (parse(text, { bom: true, relax_column_count: true }) as string[][]).flat();
      wrong.push(...cells.filter(isFormula).map(cell => `${call.name}: ${cell}`));
      seen.push(call.name);
    }
    expect(wrong).toEqual([]);
    expect(seen).toEqual(expect.arrayContaining(['texts.exportFile', 'campaign-actions.links', 'subscription-contract.export']));
  });

  it('figures ask for an area of analytics and for a feature of the plan, and are closed on the plan below', async () => {
    const { calls, permissions } = server.services.definitions;
    const isFigures = (call: Call): boolean =>
      call.path.startsWith('/analytics/') ||
      [call.permission, ...(call.also ?? [])].some(area => permissions[area ?? '']?.loopModuleKey === 'analytics');
    // The page Home is there on every plan, with cards of its own and a banner.
    const figures = Object.values(calls).filter(
      call => isRead(call) && isFigures(call) && !['home', 'payments-overview'].includes(call.table),
    );
    expect(figures.length).toBeGreaterThan(60);
    expect(figures.filter(call => call.feature === undefined).map(call => call.name)).toEqual([]);
    const OF_PATH: Record<string, string> = {
      cancellation: 'cancellationAnalytics',
      cancellationFlow: 'cancellationAnalytics',
      cohort: 'cohortAnalytics',
      dunning: 'dunningAnalytics',
      payments: 'paymentAnalytics',
      subscriberAcquisition: 'subscriberAnalytics',
      subscriberRevenue: 'subscriberAnalytics',
    };
    const unasked = figures.filter(call => {
      const area = OF_PATH[call.path.split('/')[2] ?? ''];
      return area !== undefined && ![call.permission, ...(call.also ?? [])].includes(area) && call.name !== 'payment-recovery.basis';
    });
    expect(unasked.map(call => call.name)).toEqual([]);
    await looks.grant();
    await looks.rights.setPlan(1);
    const open: string[] = [];
    for (const call of figures) {
      const { status, text } = await looks.ask(call, token);
      if (status !== 403 || !text.includes('FEATURE_NOT_IN_PLAN')) open.push(`${call.name}: ${status}`);
    }
    await looks.rights.setPlan(4);
    expect(open).toEqual([]);
  });
});
