// Every kind of mistake in a definition: the place it is told at, the sentence, and what was perhaps meant.
import { describe, expect, test } from 'vitest';
import { census, check, checkAll, tell, type CheckOptions } from '../../src/contract/check.ts';
import type { Problem } from '../../src/contract/types.ts';
import { miniFiles, miniOptions } from './mini.ts';

const COFFEE = 'schemas/entities/coffee.json', CALLS = 'schemas/calls/coffees.json', BREWING = 'schemas/settings/brewing.json', LIST = 'resources/coffees.json', RECORD = 'resources/coffees/[id].json', NAVIGATION = 'resources/navigation.json', ROAST = 'schemas/common/roast.json';

interface Case { title: string; file: string; find: string; put: string; pointer: string; at: string; message: string; suggestion?: string; more?: number }

/** The mini-app with one text of one file changed. */
function broken({ file, find, put }: Pick<Case, 'file' | 'find' | 'put'>, options: CheckOptions = miniOptions): { problems: Problem[]; text: string } {
  const files = miniFiles();
  const before = files[file] as string;
  if (before.split(find).length !== 2) throw new Error(`"${find}" stands ${before.split(find).length - 1} times in ${file}.`);
  const text = before.replace(find, () => put);
  return { problems: check({ ...files, [file]: text }, options), text };
}

/** Runs a case: exactly this problem is told, at exactly this place. `more`: how many others follow from it. */
function runs(cases: Case[]): void {
  for (const one of cases) {
    test(one.title, () => {
      const { problems, text } = broken(one);
      const problem = problems.find(found => found.file === one.file && found.pointer === one.pointer && found.message === one.message);
      expect(problem, `told instead:\n${problems.map(tell).join('\n')}`).toBeDefined();
      const { line, column, suggestion } = problem as Problem;
      const lines = text.split('\n');
      expect(lines[line - 1]?.slice(column - 1, column - 1 + one.at.length)).toBe(one.at);
      expect(suggestion).toBe(one.suggestion);
      expect(problems.length, problems.map(tell).join('\n')).toBe(1 + (one.more ?? 0));
    });
  }
}

test('the mini-app is right as it is', () => {
  expect(check(miniFiles(), miniOptions)).toEqual([]);
});

describe('what an action does first', () => {
  const first = (text: string): string => `{ "call": "sellOut", "first": ${text}, "ask": ["reason"]`;
  const find = '{ "call": "sellOut", "ask": ["reason"]';
  test('is right where its answer fills a parameter of the action', () => {
    expect(broken({ file: RECORD, find, put: '{ "call": "roast", "id": "grade", "first": { "call": "mix", "ask": ["parts", "label"], "gives": { "grade": "grade" } }' }).problems).toEqual([]);
  });
  runs([
    { title: 'a call that there is none of', file: RECORD, find, put: first('{ "call": "mixx", "gives": { "reason": "id" } }'), pointer: '/actions/1/first/call', at: '"mixx"', message: 'There is no call "coffees.mixx".', suggestion: 'mix' },
    { title: 'a parameter that the action does not take', file: RECORD, find, put: first('{ "call": "mix", "ask": ["parts"], "gives": { "reasons": "id" } }'), pointer: '/actions/1/first/gives/reasons', at: '"id"', message: 'coffees.sellOut takes no "reasons".', suggestion: 'reason' },
    { title: 'a parameter that the first call does not take', file: RECORD, find, put: first('{ "call": "mix", "ask": ["part"], "gives": { "reason": "id" } }'), pointer: '/actions/1/first/ask/0', at: '"part"', message: 'coffees.mix takes no "part".', suggestion: 'parts' },
    { title: 'a parameter of both', file: RECORD, find, put: first('{ "call": "blend", "ask": ["shop"], "gives": { "reason": "id" } }').replace('"ask": ["shop"]', '"ask": ["grade"]').replace('"sellOut"', '"roast"').replace('"reason": "id"', '"id": "id"').replace(', "ask": ["reason"]', ', "ask": ["grade"]'), pointer: '/actions/1/first/ask/0', at: '"grade"', message: 'Both coffees.blend and coffees.roast take "grade"; one dialog can\'t ask for both.' },
  ]);
});

test('a column of a list is among what lists carry of a record', () => {
  const { problems } = broken({ file: COFFEE, find: '"unique": ["name"]', put: '"unique": ["name"], "row": ["name"]' });
  expect(problems.filter(problem => problem.file === LIST).map(problem => [problem.pointer, problem.message])).toContainEqual(['/list/columns/1/field', 'x-record.row of Coffee doesn\'t list "price", so its lists don\'t carry it.']);
  expect(broken({ file: COFFEE, find: '"unique": ["name"]', put: '"unique": ["name"], "row": ["nam"]' }).problems.find(problem => problem.file === COFFEE)).toMatchObject({ file: COFFEE, pointer: '/x-record/row/0', suggestion: 'name' });
});

test('a problem is printed in two lines, the census in one', () => {
  const { problems } = broken({ file: COFFEE, find: '"when": { "isDecaf": true }', put: '"when": { "isDecaff": true }' });
  expect(problems.map(tell)).toEqual([
    'schemas/entities/coffee.json:30:189  /properties/method/x-ui/when/isDecaff\n  There is no field "isDecaff" beside this one. Did you mean "isDecaf"?',
  ]);
  const { definitions } = checkAll(miniFiles(), miniOptions);
  expect(census(definitions, miniOptions)).toBe('11 calls (0 assumed) in 1 table · 3 screens (1 drawn whole, 2 planned) · 1 settings page · 1 entity · renderers: fields 4, cells 2, panels 1, pages 1, shell 0 · 3 codecs · 3 handlers');
});

describe('JSON', () => {
  runs([
    { title: 'a comma too many', file: BREWING, find: '"type": "object",\n  "additional', put: '"type": "object",,\n  "additional', pointer: '', at: ',', message: 'A name in double quotes should stand here; perhaps there is a comma too many.' },
    { title: 'a missing comma', file: BREWING, find: '"title": "Brewing",', put: '"title": "Brewing"', pointer: '', at: '"type"', message: 'A comma is missing.' },
    { title: 'a comment', file: BREWING, find: '"title": "Brewing",', put: '"title": "Brewing", // ours', pointer: '', at: '// ours', message: 'JSON has no comments. Use "$comment".' },
    { title: 'an open text', file: BREWING, find: '"title": "Brewing",', put: '"title": "Brewing,', pointer: '', at: '"Brewing,', message: 'The text is not closed: a double quote is missing.' },
    { title: 'a name twice in one object', file: BREWING, find: '"title": "Brewing",', put: '"title": "Brewing", "title": "Tea",', pointer: '/title', at: '"title": "Tea"', message: '"title" stands here twice; it is in line 3 already.' },
    { title: 'a schema without a title', file: ROAST, find: '  "title": "Roast",\n', put: '', pointer: '', at: '{', message: 'A common schema needs "title".' },
  ]);
});

describe('grammar', () => {
  runs([
    { title: 'an unknown keyword of a schema', file: COFFEE, find: '"minLength": 1, "maxLength": 40', put: '"minLength": 1, "maxLenght": 40', pointer: '/properties/name/maxLenght', at: '"maxLenght"', message: '"maxLenght" is not a key of a schema.', suggestion: 'maxLength' },
    { title: 'a misspelt keyword of ours', file: COFFEE, find: '"x-record": {', put: '"x-recrod": {', pointer: '/x-recrod', at: '"x-recrod"', message: '"x-recrod" is not a key of a schema.', suggestion: 'x-record' },
    { title: 'an unknown key of x-ui', file: COFFEE, find: '"x-ui": { "placeholder"', put: '"x-ui": { "placeholdr"', pointer: '/properties/name/x-ui/placeholdr', at: '"placeholdr"', message: '"placeholdr" is not a key of x-ui.', suggestion: 'placeholder' },
    { title: 'an unknown key of x-record', file: COFFEE, find: '"unique": ["name"]', put: '"uniqe": ["name"]', pointer: '/x-record/uniqe', at: '"uniqe"', message: '"uniqe" is not a key of x-record.', suggestion: 'unique' },
    { title: 'an entity that a record is worked out from', file: COFFEE, find: '"unique": ["name"]', put: '"unique": ["name"], "from": ["cofee"]', pointer: '/x-record/from/0', at: '"cofee"', message: 'There is no entity "cofee" in schemas/entities.', suggestion: 'coffee' },
    { title: 'an unknown key of a move', file: COFFEE, find: '"title": "Roast" }', put: '"titel": "Roast" }', pointer: '/x-states/moves/roast/titel', at: '"titel"', message: '"titel" is not a key of a move. It has from, to, guard, error, title.', suggestion: 'title' },
    { title: 'an unknown key of x-setting', file: BREWING, find: '"group": "Store"', put: '"gruop": "Store"', pointer: '/x-setting/gruop', at: '"gruop"', message: '"gruop" is not a key of x-setting. It has category, type, permission, feature, group, icon, keywords, sections, side, actions.', suggestion: 'group' },
    { title: 'an unknown rule in x-errors', file: COFFEE, find: '"maxLength": 60', put: '"x-errors": { "maximun": "Less." }, "maxLength": 60', pointer: '/properties/origin/x-errors/maximun', at: '"maximun"', message: '"maximun" is not a key of x-errors.', suggestion: 'maximum' },
    { title: 'an unknown key of a call', file: CALLS, find: '"does": "list", "page"', put: '"does": "list", "pager"', pointer: '/calls/list/pager', at: '"pager"', message: '"pager" is not a key of a call.', suggestion: 'page' },
    { title: 'an unknown verb', file: CALLS, find: '"route": "GET /{id}", "does": "read"', put: '"route": "GET /{id}", "does": "reed"', pointer: '/calls/read/does', at: '"reed"', message: '"reed" is not a value of "does". It has list, read, create, update, delete, get, set, move, order, ask, do.', suggestion: 'read' },
    { title: 'a call without a route', file: CALLS, find: '"route": "GET /{id}", "does": "read"', put: '"does": "read"', pointer: '/calls/read', at: '{ "does"', message: 'A call needs "route".' },
    { title: 'a call without a verb', file: CALLS, find: '"route": "GET /{id}", "does": "read"', put: '"route": "GET /{id}"', pointer: '/calls/read', at: '{ "route"', message: 'A call needs "does".' },
    { title: 'a route without a method', file: CALLS, find: '"POST /roast"', put: '"/roast"', pointer: '/calls/roast/route', at: '"/roast"', message: '"/roast" is no route. Write a method and a path: "POST /pauseContract", "GET /{id}".' },
    { title: 'a parameter that is no name', file: CALLS, find: '"ids[]", "grade"]', put: '"ids[]", "the grade"]', pointer: '/calls/blend/in/2', at: '"the grade"', message: 'Entry 3 can\'t be "the grade": it has characters that may not stand here.' },
    { title: 'an unknown key of a list', file: LIST, find: '"filters": [', put: '"filter": [', pointer: '/list/filter', at: '"filter"', message: '"filter" is not a key of a list screen.', suggestion: 'filters' },
    { title: 'an unknown key of a column', file: LIST, find: '"align": "end"', put: '"aling": "end"', pointer: '/list/columns/1/aling', at: '"aling"', message: '"aling" is not a key of a column. It has field, title, cell, width, align, options, permission, yields.', suggestion: 'align' },
    { title: 'an unknown key of an action', file: LIST, find: '"primary": true', put: '"primry": true', pointer: '/actions/0/primry', at: '"primry"', message: '"primry" is not a key of an action.', suggestion: 'primary' },
    { title: 'an unknown key of a section of fields', file: RECORD, find: '"title": "About", "fields"', put: '"title": "About", "colums": 2, "fields"', pointer: '/record/main/0/colums', at: '"colums"', message: '"colums" is not a key of a section of fields. It has id, title, description, when, permission, closed, fields, columns, action.', suggestion: 'columns' },
    { title: 'an unknown key of a panel, judged as a panel', file: RECORD, find: '"panel": "tasting", "call"', put: '"panel": "tasting", "cal": 1, "call"', pointer: '/record/side/0/cal', at: '"cal"', message: '"cal" is not a key of a section with a panel. It has id, title, description, when, permission, closed, panel, call, with, options, rows, rowActions.', suggestion: 'call' },
    { title: 'an unknown key of a section with a list, judged as a list', file: RECORD, find: '"title": "Others", "call"', put: '"title": "Others", "emty": "", "call"', pointer: '/record/main/1/emty', at: '"emty"', message: '"emty" is not a key of a section with a list. It has id, title, description, when, permission, closed, call, columns, with, empty, rowTo, rowActions.', suggestion: 'empty' },
    { title: 'a section of nothing', file: RECORD, find: '{ "title": "About", "fields": ["roast", "origin", "method"] }', put: '{ "title": "About" }', pointer: '/record/main/0', at: '{ "title": "About" }', message: 'A section of fields needs "fields".' },
    { title: 'a list without columns', file: RECORD, find: ', "columns": ["name", "price"], "rowActions"', put: ', "rowActions"', pointer: '/record/main/1', at: '{ "title": "Others"', message: 'A section with a list needs "columns".' },
    { title: 'an unknown key of the navigation', file: NAVIGATION, find: '"badge": "alerts.count"', put: '"bagde": "alerts.count"', pointer: '/lower/0/bagde', at: '"bagde"', message: '"bagde" is not a key of a navigation entry.', suggestion: 'badge' },
    { title: 'a value of the wrong type', file: COFFEE, find: '"maxLength": 40', put: '"maxLength": "40"', pointer: '/properties/name/maxLength', at: '"40"', message: '"maxLength" must be a whole number, not a text.' },
    { title: 'a condition on a whole object', file: COFFEE, find: '"when": { "isDecaf": true }', put: '"when": "isDecaf"', pointer: '/properties/method/x-ui/when', at: '"isDecaf"', message: '"when" must be an object or a list, not a text.' },
    { title: 'a list of conditions with one alone', file: COFFEE, find: '"when": { "isDecaf": true }', put: '"when": [{ "isDecaf": true }]', pointer: '/properties/method/x-ui/when', at: '[{ "isDecaf"', message: '"when" needs at least 2 entries.' },
    { title: 'a text among conditions', file: COFFEE, find: '"when": { "isDecaf": true }', put: '"when": [{ "isDecaf": true }, "roast"]', pointer: '/properties/method/x-ui/when/1', at: '"roast"', message: 'Entry 2 must be an object, not a text.' },
    { title: 'a keyword that conditions don\'t know', file: BREWING, find: '{ "minimum": 2 }', put: '{ "not": 2 }', pointer: '/properties/repeat/x-ui/when/@plan.rank/not', at: '"not"', message: '"not" is not a key of a schema in a condition.' },
    { title: 'an option without a title', file: ROAST, find: '{ "const": "MEDIUM", "title": "Medium" }', put: '{ "const": "MEDIUM" }', pointer: '/oneOf/1', at: '{ "const"', message: 'An option needs "title".', more: 0 },
    { title: 'an unknown tone', file: ROAST, find: '"tone": "info"', put: '"tone": "blue"', pointer: '/oneOf/0/x-ui/tone', at: '"blue"', message: '"blue" is not a value of "tone". It has neutral, success, attention, warning, critical, info.' },
    { title: 'an unknown format', file: COFFEE, find: '"format": "money"', put: '"format": "mony"', pointer: '/properties/price/format', at: '"mony"', message: '"mony" is not a value of "format". It has email, domain, merchant-token, uri, date, time, date-time, money, timezone, color, html, epoch.', suggestion: 'money' },
    { title: 'a settings page without x-setting', file: BREWING, find: /"x-setting"[^]*?\n {2}\},\n/.exec(miniFiles()[BREWING] as string)?.[0] ?? '', put: '', pointer: '', at: '{', message: 'A settings page needs "x-setting".' },
  ]);
  test('a file in no known place', () => {
    const problems = check({ ...miniFiles(), 'schemas/things/tea.json': '{}' }, miniOptions);
    expect(problems.map(tell)).toEqual(['schemas/things/tea.json:1:1  /\n  Definitions stand in schemas/entities, schemas/settings, schemas/common, schemas/calls or resources; this file is in none of them.']);
  });
});

describe('schemas', () => {
  runs([
    { title: 'a reference to no file', file: COFFEE, find: '"../common/roast.json"', put: '"../common/rost.json"', pointer: '/properties/roast/$ref', at: '"../common/rost.json"', message: 'There is no file schemas/common/rost.json.', suggestion: 'schemas/common/roast.json' },
    { title: 'a reference to no place', file: COFFEE, find: '"../common/roast.json"', put: '"#/definitions/roast"', pointer: '/properties/roast/$ref', at: '"#/definitions/roast"', message: 'schemas/entities/coffee.json has no /definitions/roast.' },
    { title: 'a reference in a circle', file: ROAST, find: '"type": "string",', put: '"$ref": "roast.json",', pointer: '/$ref', at: '"roast.json"', message: "This $ref leads back to itself by way of schemas/common/roast.json; a schema can't contain itself." },
    { title: 'a keyword that says nothing about its type', file: COFFEE, find: '"type": "boolean", "default": false', put: '"type": "boolean", "minLength": 1, "default": false', pointer: '/properties/isDecaf/minLength', at: '"minLength"', message: '"minLength" says nothing about boolean; it is for string.' },
    { title: 'a keyword without its type', file: COFFEE, find: '"type": "string", "maxLength": 60', put: '"maxLength": 60', pointer: '/properties/origin/maxLength', at: '"maxLength"', message: '"maxLength" needs "type": "string" beside it.', more: 1 },
    { title: 'a format for another type', file: COFFEE, find: '"title": "Stock", "type": "integer"', put: '"title": "Stock", "format": "date", "type": "integer"', pointer: '/properties/stock/format', at: '"date"', message: 'The format "date" is for string, not for integer.' },
    { title: 'a bound without a format that compares', file: COFFEE, find: '"type": "string", "maxLength": 60', put: '"type": "string", "formatMinimum": "A", "maxLength": 60', pointer: '/properties/origin/formatMinimum', at: '"formatMinimum"', message: 'formatMinimum and formatMaximum need one of the formats money, date, time, date-time beside them.' },
    { title: 'bounds that cross', file: COFFEE, find: '"minimum": 0, "maximum": 1000', put: '"minimum": 2000, "maximum": 1000', pointer: '/properties/stock/minimum', at: '2000', message: 'minimum 2000 is more than maximum 1000: nothing is valid.', more: 1 },
    { title: 'a required field that is not there', file: COFFEE, find: '"required": ["id", "name", "price"]', put: '"required": ["id", "nme", "price"]', pointer: '/required/1', at: '"nme"', message: '"nme" is required but not among the properties.', suggestion: 'name' },
    { title: 'a default that is not valid', file: BREWING, find: '"default": 6', put: '"default": 24', pointer: '/properties/hour/default', at: '24', message: 'The default 24 is not valid: Hour must be between 0 and 23.', more: 1 },
    { title: 'an example that is not valid', file: COFFEE, find: '["Kenya"]', put: '["kenya"]', pointer: '/properties/origin/examples/0', at: '"kenya"', message: 'The example "kenya" is not valid: Origin doesn\'t have the right form, for example kenya.' },
    { title: 'the defaults of a page that are not valid together', file: BREWING, find: '"minimum": 0, "maximum": 23, "default": 6', put: '"minimum": 0, "maximum": 23', pointer: '/properties/hour', at: '"hour"', message: 'A page starts from its defaults, and these are not valid: Enter a value for “Hour”.' },
    { title: 'an option twice', file: ROAST, find: '"const": "DARK"', put: '"const": "LIGHT"', pointer: '/oneOf/2', at: '{ "const": "LIGHT", "title": "Dark"', message: 'The option "LIGHT" stands here twice.' },
    { title: 'an option of another type', file: ROAST, find: '"const": "DARK"', put: '"const": 3', pointer: '/oneOf/2/const', at: '3', message: '3 is not string, as the type of the field says.' },
    { title: 'a pattern that is none', file: COFFEE, find: '^[A-Z][a-z]{1,40}$', put: '^[A-Z[a-z{1,40}$', pointer: '/properties/origin/pattern', at: '"^[A-Z[a-z{1,40}$"', message: 'This is not a regular expression: /^[A-Z[a-z{1,40}$/u: Unterminated character class.' },
    { title: 'a pattern that runs for hours', file: COFFEE, find: '^[A-Z][a-z]{1,40}$', put: '^([A-Za-z]+ ?)+$', pointer: '/properties/origin/pattern', at: '"^([A-Za-z]+ ?)+$"', message: 'This pattern can run for hours on some texts: a repeated part can match the same text in several ways. Make the parts of the repetition tell each other apart.' },
    { title: 'a pattern that is slow on long texts', file: COFFEE, find: '^[A-Z][a-z]{1,40}$', put: '[A-Za-z]+$', pointer: '/properties/origin/pattern', at: '"[A-Za-z]+$"', message: 'This pattern is slow on long texts: two repetitions that can match the same characters follow each other, or it begins with one. Begin it with ^ and make what stands between them differ.' },
    { title: 'x-record on a settings page', file: BREWING, find: '"x-setting": {', put: '"x-record": { "name": { "one": "a", "many": "b" }, "label": "x", "key": "hour" },\n  "x-setting": {', pointer: '/x-record', at: '"x-record"', message: 'x-record stands at the root of an entity only.' },
    { title: 'a record without a key field', file: COFFEE, find: '"label": "{name} {roast}",', put: '"key": "code", "label": "{name} {roast}",', pointer: '/x-record/key', at: '"code"', message: 'There is no field "code" in Coffee.' },
    { title: 'a label of no field', file: COFFEE, find: '{name} {roast}', put: '{nme} {roast}', pointer: '/x-record/label', at: '"{nme} {roast}"', message: 'There is no field "nme" in Coffee.', suggestion: 'name' },
    { title: 'a detail of no field', file: COFFEE, find: '"unique": ["name"]', put: '"unique": ["name"], "detail": "{rost}"', pointer: '/x-record/detail', at: '"{rost}"', message: 'There is no field "rost" in Coffee.', suggestion: 'roast' },
    { title: 'a filter of no field', file: COFFEE, find: '"isDecaf", "stock", "origin"]', put: '"isDecaff", "stock", "origin"]', pointer: '/x-record/filter/4', at: '"isDecaff"', message: 'There is no field "isDecaff" in Coffee.', suggestion: 'isDecaf', more: 1 },
    { title: 'a state field that is not there', file: COFFEE, find: '"field": "status"', put: '"field": "state"', pointer: '/x-states/field', at: '"state"', message: 'There is no field "state" in Coffee.', suggestion: 'status' },
    { title: 'a move to no state', file: COFFEE, find: '"to": "SOLD_OUT"', put: '"to": "SOLD"', pointer: '/x-states/moves/sellOut/to', at: '"SOLD"', message: '"SOLD" is not a state of status. It has GREEN, ROASTED, SOLD_OUT.', suggestion: 'SOLD_OUT' },
    { title: 'a move from no state', file: COFFEE, find: '"from": ["GREEN"]', put: '"from": ["GREN"]', pointer: '/x-states/moves/roast/from/0', at: '"GREN"', message: '"GREN" is not a state of status. It has GREEN, ROASTED, SOLD_OUT.', suggestion: 'GREEN' },
    { title: 'an unknown permission of a settings page', file: BREWING, find: '"generalSettings"', put: '"generalSetting"', pointer: '/x-setting/permission', at: '"generalSetting"', message: 'There is no permission area "generalSetting" in schemas/common/permissions.json.', suggestion: 'generalSettings' },
    { title: 'an unknown plan feature of a settings page', file: BREWING, find: '"group": "Store"', put: '"feature": "payment_recovry", "group": "Store"', pointer: '/x-setting/feature', at: '"payment_recovry"', message: 'There is no plan feature "payment_recovry" in schemas/common/plans.json.', suggestion: 'payment_recovery' },
    { title: 'an unknown icon of a settings page', file: BREWING, find: '"icon": "store"', put: '"icon": "stroe"', pointer: '/x-setting/icon', at: '"stroe"', message: 'There is no icon "stroe".', suggestion: 'store' },
    { title: 'a section of no field', file: BREWING, find: '["isOn", "hour", "repeat"] }]', put: '["isOn", "hours", "repeat"] }]', pointer: '/x-setting/sections/0/fields/1', at: '"hours"', message: 'There is no field "hours" on this page.', suggestion: 'hour', more: 1 },
    { title: 'a field in no section', file: BREWING, find: '["isOn", "hour", "repeat"] }]', put: '["isOn", "hour"] }]', pointer: '/properties/repeat', at: '"repeat"', message: '"repeat" stands in no section, so nobody would see it.' },
  ]);
  test('two settings pages of one category and type', () => {
    const files = miniFiles();
    const problems = check({ ...files, 'schemas/settings/tea.json': files[BREWING] as string }, miniOptions);
    expect(problems.map(tell)).toEqual(['schemas/settings/tea.json:7:36  /x-setting/type\n  schemas/settings/brewing.json has the category BREWING and the type MACHINE already; each page needs a pair of its own.']);
  });
});

describe('widgets and cells', () => {
  runs([
    { title: 'an unknown widget', file: COFFEE, find: '"default": "MEDIUM", "x-ui": { "widget": "select" }', put: '"default": "MEDIUM", "x-ui": { "widget": "selct" }', pointer: '/properties/roast/x-ui/widget', at: '"selct"', message: 'There is no widget "selct" in renderers/fields.', suggestion: 'select' },
    { title: 'an unknown cell', file: COFFEE, find: '"x-ui": { "placeholder"', put: '"x-ui": { "cell": "badg", "placeholder"', pointer: '/properties/name/x-ui/cell', at: '"badg"', message: 'There is no cell "badg" in renderers/cells.', suggestion: 'badge' },
    { title: 'an option that the widget lacks', file: COFFEE, find: '"steppers": true', put: '"stepper": true', pointer: '/properties/stock/x-ui/options/stepper', at: '"stepper"', message: '"stepper" is not an option of number. It has steppers, unitField.', suggestion: 'steppers' },
    { title: 'an option of the wrong type', file: COFFEE, find: '"steppers": true', put: '"steppers": "yes"', pointer: '/properties/stock/x-ui/options/steppers', at: '"yes"', message: 'Steppers must be yes or no.' },
    { title: 'an option that names no field', file: COFFEE, find: '"steppers": true', put: '"unitField": "unti"', pointer: '/properties/stock/x-ui/options/unitField', at: '"unti"', message: 'There is no field "unti" beside this one.' },
    { title: 'options for a widget without any', file: COFFEE, find: '"default": "MEDIUM", "x-ui": { "widget": "select" }', put: '"default": "MEDIUM", "x-ui": { "widget": "select", "options": { "rows": 3 } }', pointer: '/properties/roast/x-ui/options', at: '"options"', message: '"select" takes no options (there is no renderers/fields/select.options.json).' },
    { title: 'a reference to no entity', file: COFFEE, find: '"x-ui": { "placeholder"', put: '"x-ui": { "of": "cofee", "placeholder"', pointer: '/properties/name/x-ui/of', at: '"cofee"', message: 'There is no entity "cofee" in schemas/entities.', suggestion: 'coffee' },
    { title: 'an unknown panel', file: RECORD, find: '"panel": "tasting"', put: '"panel": "tastng"', pointer: '/record/side/0/panel', at: '"tastng"', message: 'There is no panel "tastng" in renderers/panels.', suggestion: 'tasting' },
    { title: 'an option that the panel refuses', file: RECORD, find: '"call": "taste"', put: '"options": { "cups": 0 }, "call": "taste"', pointer: '/record/side/0/options/cups', at: '0', message: 'Cups must be 1 or more.' },
    { title: 'an unknown page', file: 'resources/settings/[setting].json', find: '"page": "setting"', put: '"page": "settings"', pointer: '/page', at: '"settings"', message: 'There is no page "settings" in renderers/pages.', suggestion: 'setting' },
  ]);
});

describe('conditions', () => {
  runs([
    { title: 'an unknown field', file: BREWING, find: '"when": { "isOn": true } }', put: '"when": { "isOne": true } }', pointer: '/properties/hour/x-ui/when/isOne', at: '"isOne"', message: 'There is no field "isOne" beside this one.', suggestion: 'isOn' },
    { title: 'an unknown field from the root', file: BREWING, find: '"when": { "isOn": true } }', put: '"when": { "/isOm": true } }', pointer: '/properties/hour/x-ui/when/~1isOm', at: '"/isOm"', message: 'The root has no field "/isOm".', suggestion: '/isOn' },
    { title: 'an unknown fact', file: BREWING, find: '"@plan.rank"', put: '"@plan.rnk"', pointer: '/properties/repeat/x-ui/when/@plan.rnk', at: '"@plan.rnk"', message: 'There is no fact "@plan.rnk" in schemas/common/session.json.', suggestion: '@plan.rank' },
    { title: 'a value that is no option', file: COFFEE, find: '"when": { "isDecaf": true }', put: '"when": { "roast": ["DARK", "MEDUIM"] }', pointer: '/properties/method/x-ui/when/roast/1', at: '"MEDUIM"', message: '"MEDUIM" is not an option of roast. It has LIGHT, MEDIUM, DARK.', suggestion: 'MEDIUM' },
    { title: 'a value of another type', file: COFFEE, find: '"when": { "isDecaf": true }', put: '"when": { "isDecaf": "yes" }', pointer: '/properties/method/x-ui/when/isDecaf', at: '"yes"', message: 'isDecaf is boolean; it can never be "yes".' },
    { title: 'a value in a test that is no option', file: COFFEE, find: '"when": { "isDecaf": true }', put: '"when": { "roast": { "enum": ["DARKER"] } }', pointer: '/properties/method/x-ui/when/roast/enum/0', at: '"DARKER"', message: '"DARKER" is not an option of roast. It has LIGHT, MEDIUM, DARK.', suggestion: 'DARK' },
    { title: 'an unknown field in one of several conditions', file: COFFEE, find: '"when": { "isDecaf": true }', put: '"when": [{ "isDecaf": true }, { "roats": "DARK" }]', pointer: '/properties/method/x-ui/when/1/roats', at: '"roats"', message: 'There is no field "roats" beside this one.', suggestion: 'roast' },
    { title: 'a circle by one of several conditions', file: BREWING, find: '"type": "boolean", "default": true', put: '"type": "boolean", "default": true, "x-ui": { "when": [{ "@plan.rank": 2 }, { "hour": [6, null] }] }', pointer: '/properties/isOn/x-ui/when', at: '[{ "@plan.rank"', message: 'The conditions of isOn, hour depend on each other in a circle.' },
    { title: 'a circle', file: BREWING, find: '"type": "boolean", "default": true', put: '"type": "boolean", "default": true, "x-ui": { "when": { "hour": [6, null] } }', pointer: '/properties/isOn/x-ui/when', at: '{ "hour"', message: 'The conditions of isOn, hour depend on each other in a circle.' },
    { title: 'a field inside a list', file: COFFEE, find: '"when": { "isOrganic": true }', put: '"when": { "isOrganik": true }', pointer: '/properties/lots/items/properties/certificate/x-ui/when/isOrganik', at: '"isOrganik"', message: 'There is no field "isOrganik" beside this one.', suggestion: 'isOrganic' },
    { title: 'a field in the navigation, where there are only facts', file: NAVIGATION, find: '"when": { "@plan.id": [3, 4] }', put: '"when": { "plan.id": [3, 4] }', pointer: '/main/1/items/0/when/plan.id', at: '"plan.id"', message: 'Only facts can be named here: "@plan.id"?', suggestion: '@plan.id' },
    { title: 'a plan that is not there', file: NAVIGATION, find: '"@plan.id": [3, 4]', put: '"@plan.id": [3, 5]', pointer: '/main/1/items/0/when/@plan.id/1', at: '5', message: '5 is not an option of plan.id. It has 1, 2, 3, 4, 90, 91.' },
    { title: 'a condition of an action', file: LIST, find: '"when": { "status": ["GREEN", "ROASTED"] }', put: '"when": { "status": ["GREEN", "RAW"] }', pointer: '/list/rowActions/1/when/status/1', at: '"RAW"', message: '"RAW" is not an option of status. It has GREEN, ROASTED, SOLD_OUT.' },
    { title: 'a condition of a section', file: RECORD, find: '"when": { "status": "ROASTED" }', put: '"when": { "staus": "ROASTED" }', pointer: '/record/side/0/when/staus', at: '"staus"', message: 'There is no field "staus" beside this one.', suggestion: 'status' },
  ]);
});

describe('calls', () => {
  runs([
    { title: 'an unknown host group', file: CALLS, find: '"host": "main"', put: '"host": "mane"', pointer: '/host', at: '"mane"', message: 'There is no host group "mane" in _hosts.json.', suggestion: 'main', more: 1 },
    { title: 'an unknown entity', file: CALLS, find: '"of": "coffee"', put: '"of": "cofee"', pointer: '/of', at: '"cofee"', message: 'There is no entity "cofee" in schemas/entities.', suggestion: 'coffee', more: 1 },
    { title: 'an unknown permission area', file: CALLS, find: '"permission": "sellingPlan"', put: '"permission": "sellingPlans"', pointer: '/permission', at: '"sellingPlans"', message: 'There is no permission area "sellingPlans" in schemas/common/permissions.json.', suggestion: 'sellingPlan' },
    { title: 'an unknown permission area of one call', file: CALLS, find: '"does": "delete"', put: '"does": "delete", "permission": "deleteUsr"', pointer: '/calls/delete/permission', at: '"deleteUsr"', message: 'There is no permission area "deleteUsr" in schemas/common/permissions.json.', suggestion: 'deleteUser' },
    { title: 'no permission area at all', file: CALLS, find: ' "permission": "sellingPlan",', put: ' ', pointer: '/calls/list', at: '"list"', message: 'This call names no permission area, so everybody could use it. Name one, or write "permission": null if everybody who is signed in may.', more: 10 },
    { title: 'a choice noted by a call there is not', file: NAVIGATION, find: '"module": "acquire"', put: '"module": "acquire", "track": "coffees.rost"', pointer: '/main/0/track', at: '"coffees.rost"', message: 'There is no call "coffees.rost".', suggestion: 'coffees.roast' },
    { title: 'an unknown plan feature', file: CALLS, find: '"feature": "bulk_actions"', put: '"feature": "bulk_action"', pointer: '/calls/sellOut/feature', at: '"bulk_action"', message: 'There is no plan feature "bulk_action" in schemas/common/plans.json.', suggestion: 'bulk_actions' },
    { title: 'an unknown parameter', file: CALLS, find: '"in": ["id", "grade"]', put: '"in": ["id", "grad"]', pointer: '/calls/roast/in/1', at: '"grad"', message: 'There is no parameter "grad" in common/params.json or in "params" of this table.', suggestion: 'grade' },
    { title: 'a path parameter that is not declared', file: CALLS, find: '"PUT /{id}"', put: '"PUT /{coffeeId}"', pointer: '/calls/update/route', at: '"PUT /{coffeeId}"', message: 'There is no parameter "coffeeId" in common/params.json or in "params" of this table.' },
    { title: 'a parameter that no call takes', file: CALLS, find: '"reason": { "title": "Reason"', put: '"unused": { "title": "Nothing", "type": "string" },\n    "reason": { "title": "Reason"', pointer: '/params/unused', at: '"unused"', message: 'No call of this table takes "unused".' },
    { title: 'an unknown pager', file: CALLS, find: '"page": "cursor"', put: '"page": "curser"', pointer: '/calls/list/page', at: '"curser"', message: 'The host group main has no pager "curser".', suggestion: 'cursor' },
    { title: 'pages of what is no list', file: CALLS, find: '"does": "read"', put: '"does": "read", "page": "cursor"', pointer: '/calls/read/page', at: '"page"', message: 'Only a list has pages ("list" or "ask"); this call does "read".' },
    { title: 'an unknown codec', file: CALLS, find: '"wrap": "variables"', put: '"encode": "boolean-string", "wrap": "variables"', pointer: '/calls/blend/encode', at: '"boolean-string"', message: 'There is no codec "boolean-string" in src/contract/codecs.', suggestion: 'boolean-strings' },
    { title: 'a waiter on no call', file: CALLS, find: '{ "call": "taste", "path"', put: '{ "call": "tase", "path"', pointer: '/calls/blend/settles/call', at: '"tase"', message: 'There is no call "coffees.tase".', suggestion: 'coffees.taste' },
    { title: 'a route twice', file: CALLS, find: '"POST /mix"', put: '"POST /blend"', pointer: '/calls/mix/route', at: '"POST /blend"', message: 'POST /api/coffees/blend of the host group main is the route of coffees.blend already.' },
    { title: 'a route twice but for the name of its parameter', file: CALLS, find: '"GET /taste", "does": "ask", "in": ["grade?"', put: '"GET /{grade}", "does": "ask", "in": ["grade"', pointer: '/calls/taste/route', at: '"GET /{grade}"', message: 'GET /api/coffees/{grade} of the host group main is the route of coffees.read already.' },
    { title: 'a verb twice for an entity', file: CALLS, find: '"POST /mix", "does": "do"', put: '"POST /mix", "does": "create"', pointer: '/calls/mix/does', at: '"create"', message: '"create" does "create" for coffee already. A table has one call for a verb and an entity; use "ask" or "do" for the other.' },
    { title: 'a GET that changes something', file: CALLS, find: '"POST /mix"', put: '"GET /mix"', pointer: '/calls/mix/route', at: '"GET /mix"', message: 'GET must not change anything, and "do" does. Use POST, PUT, PATCH or DELETE.' },
    { title: 'an ask without a handler', file: CALLS, find: '"taste": { "route"', put: '"tasting": { "route"', pointer: '/calls/tasting', at: '"tasting"', message: 'There is no function "tasting" in src/server/handlers/coffees.ts, and "ask" needs one.', suggestion: 'taste', more: 2 },
    { title: 'a do without a handler', file: CALLS, find: '"mix": { "route"', put: '"shake": { "route"', pointer: '/calls/shake', at: '"shake"', message: 'There is no function "shake" in src/server/handlers/coffees.ts, and "do" needs one.' },
    { title: 'a move that x-states lacks', file: CALLS, find: '"sellOut": { "route"', put: '"sellout": { "route"', pointer: '/calls/sellout', at: '"sellout"', message: 'x-states of coffee has no move "sellout".', suggestion: 'sellOut', more: 2 },
    { title: 'a read of no certain record', file: CALLS, find: '"GET /{id}", "does": "read"', put: '"GET /one", "does": "read", "in": ["q?"]', pointer: '/calls/read', at: '"read"', message: 'Nothing says which record "read" is about. Give it a parameter that identifies one.' },
    { title: 'an unknown tag touched', file: CALLS, find: '"does": "delete"', put: '"does": "delete", "touches": ["coffe"]', pointer: '/calls/delete/touches/0', at: '"coffe"', message: 'There is no entity "coffe" in schemas/entities.', suggestion: 'coffee' },
  ]);
  test('a generic verb on an entity whose records are not described', () => {
    const files = miniFiles();
    const tea = '{ "title": "Tea", "type": "object", "properties": { "id": { "type": "integer" } } }';
    const calls = '{ "title": "Teas", "host": "main", "base": "/teas", "permission": null, "of": "tea", "calls": { "list": { "route": "GET /", "does": "list" } } }';
    expect(check({ ...files, 'schemas/entities/tea.json': tea, 'schemas/calls/teas.json': calls }, miniOptions).map(tell)).toEqual([
      'schemas/calls/teas.json:1:133  /calls/list/does\n  The server can\'t list "tea", which has no x-record. Describe the record, or write a function "list" in src/server/handlers/teas.ts.',
    ]);
  });
});

describe('screens', () => {
  runs([
    { title: 'an unknown call table', file: LIST, find: '"calls": "coffees"', put: '"calls": "cofees"', pointer: '/calls', at: '"cofees"', message: 'There is no call table schemas/calls/cofees.json.', suggestion: 'coffees' },
    { title: 'an unknown module', file: LIST, find: '"module": "acquire"', put: '"module": "aquire"', pointer: '/module', at: '"aquire"', message: 'There is no module "aquire" in schemas/common/permissions.json.', suggestion: 'acquire' },
    { title: 'an unknown feature', file: LIST, find: '"feature": "sellingPlan"', put: '"feature": "sellingPlans"', pointer: '/feature', at: '"sellingPlans"', message: 'No permission area belongs to a feature "sellingPlans" (loopFeatureKey in schemas/common/permissions.json).', suggestion: 'sellingPlan' },
    { title: 'a column of no field', file: LIST, find: '"columns": ["name", {', put: '"columns": ["nme", {', pointer: '/list/columns/0', at: '"nme"', message: 'There is no field "nme" in Coffee.', suggestion: 'name' },
    { title: 'a column object of no field', file: LIST, find: '"field": "price"', put: '"field": "prize"', pointer: '/list/columns/1/field', at: '"prize"', message: 'There is no field "prize" in Coffee.', suggestion: 'price' },
    { title: 'a column with an unknown cell', file: LIST, find: '"cell": "money"', put: '"cell": "mony"', pointer: '/list/columns/1/cell', at: '"mony"', message: 'There is no cell "mony" in renderers/cells.', suggestion: 'money' },
    { title: 'an optional column that is none', file: LIST, find: '"optional": ["lots.bags"]', put: '"optional": ["lots"]', pointer: '/list/optional/0', at: '"lots"', message: '"lots" is not among the columns.', suggestion: 'lots.bags' },
    { title: 'a filter of no field', file: LIST, find: '"filters": ["status"', put: '"filters": ["staus"', pointer: '/list/filters/0', at: '"staus"', message: 'There is no field "staus" in Coffee.', suggestion: 'status' },
    { title: 'a filter that the server does not offer', file: LIST, find: '"filters": ["status"', put: '"filters": ["name"', pointer: '/list/filters/0', at: '"name"', message: 'x-record.filter of Coffee doesn\'t list "name", so the server can\'t filter by it.' },
    { title: 'a sort that the server does not offer', file: LIST, find: '{ "field": "name", "order"', put: '{ "field": "stock", "order"', pointer: '/list/sort/field', at: '"stock"', message: 'x-record.sort of Coffee doesn\'t list "stock", so the server can\'t sort by it.' },
    { title: 'a tab of no field', file: LIST, find: '{ "status": ["ROASTED"] }', put: '{ "staus": ["ROASTED"] }', pointer: '/list/tabs/1/filter/staus', at: '["ROASTED"]', message: 'There is no field "staus" in Coffee.', suggestion: 'status' },
    { title: 'a tab with a value that is no option', file: LIST, find: '{ "status": ["ROASTED"] }', put: '{ "status": ["BURNT"] }', pointer: '/list/tabs/1/filter/status/0', at: '"BURNT"', message: 'Choose Green, Roasted or Sold out for “Entry 1 of status”.' },
    { title: 'a tab with a range that is none', file: LIST, find: '{ "max": "5.00" }', put: '{ "most": "5.00" }', pointer: '/list/tabs/2/filter/price/most', at: '"5.00"', message: '"most" is not a field of “Price”.' },
    { title: 'an action of no call', file: LIST, find: '"rowActions": ["roast"', put: '"rowActions": ["rost"', pointer: '/list/rowActions/0', at: '"rost"', message: 'There is no call "coffees.rost".', suggestion: 'roast' },
    { title: 'an action of no call in another table', file: LIST, find: '"call": "create"', put: '"call": "coffee.create"', pointer: '/actions/0/call', at: '"coffee.create"', message: 'There is no call "coffee.create".', suggestion: 'coffees.create' },
    { title: 'an action with a parameter that the call lacks', file: LIST, find: '"with": { "id": "{id}" }', put: '"with": { "ids": "{id}" }', pointer: '/list/rowActions/1/with/ids', at: '"ids"', message: 'coffees.sellOut takes no "ids". It takes id, reason.', suggestion: 'id' },
    { title: 'an action filled from no field', file: LIST, find: '"with": { "id": "{id}" }', put: '"with": { "id": "{idd}" }', pointer: '/list/rowActions/1/with/id', at: '"{idd}"', message: 'There is no field "idd" in Coffee.', suggestion: 'id' },
    { title: 'an action filled from no bracket', file: RECORD, find: '"{:id}"', put: '"{:coffee}"', pointer: '/actions/1/with/id', at: '"{:coffee}"', message: 'The route of this screen has no bracket [coffee].' },
    { title: 'an action filled from no fact', file: RECORD, find: '"{:id}"', put: '"{@store.idd}"', pointer: '/actions/1/with/id', at: '"{@store.idd}"', message: 'There is no fact "@store.idd" in schemas/common/session.json.', suggestion: 'store.id' },
    { title: 'an action that asks for what the call lacks', file: RECORD, find: '"ask": ["reason"]', put: '"ask": ["raeson"]', pointer: '/actions/1/ask/0', at: '"raeson"', message: 'coffees.sellOut takes no "raeson".', suggestion: 'reason' },
    { title: 'an action with an unknown icon', file: LIST, find: '"icon": "store", "primary"', put: '"icon": "stor", "primary"', pointer: '/actions/0/icon', at: '"stor"', message: 'There is no icon "stor".', suggestion: 'store' },
    { title: 'an empty state with an unknown action', file: LIST, find: '"action": "create"', put: '"action": "creat"', pointer: '/list/empty/action', at: '"creat"', message: 'This screen has no action "creat".', suggestion: 'create' },
    { title: 'rows that lead nowhere', file: LIST, find: '"/coffees/{id}"', put: '"/coffee/{id}"', pointer: '/list/rowTo', at: '"/coffee/{id}"', message: 'No screen answers to /coffee/{id}.', suggestion: 'coffees/[id]' },
    { title: 'a title of no field', file: RECORD, find: '"title": "{name}"', put: '"title": "{nam}"', pointer: '/record/title', at: '"{nam}"', message: 'There is no field "nam" in Coffee.', suggestion: 'name' },
    { title: 'a badge of no field', file: RECORD, find: '"badge": "status"', put: '"badge": "state"', pointer: '/record/badge', at: '"state"', message: 'There is no field "state" in Coffee.', suggestion: 'status' },
    { title: 'a section of no field', file: RECORD, find: '"fields": ["roast", "origin"', put: '"fields": ["roast", "orign"', pointer: '/record/main/0/fields/1', at: '"orign"', message: 'There is no field "orign" in Coffee.', suggestion: 'origin' },
    { title: 'a list section of what is no list', file: RECORD, find: '"call": "list"', put: '"call": "read"', pointer: '/record/main/1/call', at: '"read"', message: 'coffees.read does "read"; the rows of a section come from a list.', more: 1 },
    { title: 'a row action filled from no field of the row', file: RECORD, find: '"{row.id}"', put: '"{row.ident}"', pointer: '/record/main/1/rowActions/0/with/id', at: '"{row.ident}"', message: 'There is no field "ident" in Coffee.' },
    { title: 'a panel whose call lacks the parameter', file: RECORD, find: '"with": { "grade": 3 }', put: '"with": { "grad": 3 }', pointer: '/record/side/0/with/grad', at: '"grad"', message: 'coffees.taste takes no "grad". It takes grade, q.', suggestion: 'grade' },
    { title: 'a screen that shows nothing', file: 'resources/settings/[setting].json', find: ', "page": "setting"', put: '', pointer: '', at: '{', message: 'This screen shows nothing: it needs a page, a list, a record or a form.' },
  ]);
  test('a table without the call that a screen needs', () => {
    const { problems } = broken({ file: CALLS, find: '    "list": { "route": "GET /list", "does": "list", "page": "cursor" },\n', put: '' });
    expect(problems.map(tell)).toContain('resources/coffees.json:8:3  /list\n  schemas/calls/coffees.json has no call that does "list" for coffee, to fill the list.');
  });
  test('two routes that differ only in the name of the bracket', () => {
    const files = miniFiles();
    const problems = check({ ...files, 'resources/coffees/[name].json': files[RECORD]?.replace('{:id}', '{:name}') as string }, miniOptions);
    expect(problems.map(tell)).toEqual(['resources/coffees/[name].json:1:1  /\n  resources/coffees/[id].json has the same route but for the name of the bracket.']);
  });
});

describe('navigation and catalogues', () => {
  runs([
    { title: 'an entry that leads nowhere', file: NAVIGATION, find: '"to": "/coffees"', put: '"to": "/cofees"', pointer: '/main/0/to', at: '"/cofees"', message: 'No screen answers to /cofees: there is no resources/cofees.json. Until there is, say in "planned" what it will hold.', suggestion: '/coffees' },
    { title: 'an entry to a settings page that is not there', file: NAVIGATION, find: '"to": "/settings/brewing"', put: '"to": "/settings/brewin"', pointer: '/main/1/to', at: '"/settings/brewin"', message: 'No screen answers to /settings/brewin: there is no resources/settings/brewin.json. Until there is, say in "planned" what it will hold.', suggestion: '/settings/brewing' },
    { title: 'a plan for a screen that is there', file: NAVIGATION, find: '"icon": "store", "module": "acquire" }', put: '"module": "acquire", "planned": "Coffees of all kinds." }', pointer: '/main/0/planned', at: '"planned"', message: '/coffees has a screen now; take "planned" out.' },
    { title: 'an id twice', file: NAVIGATION, find: '"id": "tea"', put: '"id": "coffees"', pointer: '/main/1/items/0/id', at: '"coffees"', message: 'The id "coffees" stands here twice.' },
    { title: 'an unknown icon', file: NAVIGATION, find: '"icon": "store"', put: '"icon": "shop"', pointer: '/main/0/icon', at: '"shop"', message: 'There is no icon "shop".' },
    { title: 'an unknown module', file: NAVIGATION, find: '"module": "acquire"', put: '"module": "acquires"', pointer: '/main/0/module', at: '"acquires"', message: 'There is no module "acquires" in schemas/common/permissions.json.', suggestion: 'acquire' },
    { title: 'an unknown feature', file: NAVIGATION, find: '"feature": "sellingPlan"', put: '"feature": "selingPlan"', pointer: '/main/1/items/0/feature', at: '"selingPlan"', message: 'No permission area belongs to a feature "selingPlan" (loopFeatureKey in schemas/common/permissions.json).', suggestion: 'sellingPlan' },
    { title: 'an unknown permission area', file: NAVIGATION, find: '"permission": "alertCentre"', put: '"permission": "alertCenter"', pointer: '/lower/0/permission', at: '"alertCenter"', message: 'There is no permission area "alertCenter" in schemas/common/permissions.json.', suggestion: 'alertCentre' },
    { title: 'an unknown plan feature', file: NAVIGATION, find: '"module": "acquire"', put: '"module": "acquire", "plan": "prepayed"', pointer: '/main/0/plan', at: '"prepayed"', message: 'There is no plan feature "prepayed" in schemas/common/plans.json.', suggestion: 'prepaid' },
    { title: 'an entry that leads on to nowhere', file: NAVIGATION, find: '"to": "/coffees"', put: '"to": "/coffees", "opens": "/cofees"', pointer: '/main/0/opens', at: '"/cofees"', message: 'No screen answers to /cofees, and no entry says what is planned there.', suggestion: '/coffees' },
    { title: 'a plan for an address that leads on', file: NAVIGATION, find: '"to": "/coffees"', put: '"to": "/coffees", "opens": "/tea", "planned": "Coffees of all kinds."', pointer: '/main/0/planned', at: '"planned"', message: '/coffees leads on to /tea; say there what is planned.' },
    { title: 'a search by what is no list', file: NAVIGATION, find: '"lower": [', put: '"search": [{ "call": "coffees.roast", "title": "Coffees", "label": "{name}", "to": "/coffees/{id}" }], "lower": [', pointer: '/search/0/call', at: '"coffees.roast"', message: '"coffees.roast" is no list that can be searched by text (q).' },
    { title: 'a search that names a field there is not', file: NAVIGATION, find: '"lower": [', put: '"search": [{ "call": "coffees.list", "title": "Coffees", "label": "{nam}", "to": "/coffees/{id}" }], "lower": [', pointer: '/search/0/label', at: '"{nam}"', message: 'A coffee has no field "nam".', suggestion: 'name' },
    { title: 'a search that leads nowhere', file: NAVIGATION, find: '"lower": [', put: '"search": [{ "call": "coffees.list", "title": "Coffees", "label": "{name}", "to": "/coffee/{id}" }], "lower": [', pointer: '/search/0/to', at: '"/coffee/{id}"', message: 'No screen answers to /coffee/{id}.' },
    { title: 'an unknown fact as a badge', file: NAVIGATION, find: '"badge": "alerts.count"', put: '"badge": "alert.count"', pointer: '/lower/0/badge', at: '"alert.count"', message: 'There is no fact "alert.count" in schemas/common/session.json.', suggestion: 'alerts.count' },
    { title: 'a fact that nothing computes', file: 'schemas/common/session.json', find: '"store.isDemo": {', put: '"store.isDemonstration": {', pointer: '/facts/store.isDemonstration', at: '{', message: 'src/contract/facts.ts doesn\'t compute "store.isDemonstration".', more: 1 },
    { title: 'a permission area of no module', file: 'schemas/common/permissions.json', find: '"label": "Inventory", "loopModuleKey": "toolsAndApps"', put: '"label": "Inventory", "loopModuleKey": "tools"', pointer: '/areas/inventory/loopModuleKey', at: '"tools"', message: 'There is no module "tools" above.', suggestion: 'toolsAndApps' },
    { title: 'a plan feature in two plans', file: 'schemas/common/plans.json', find: '["api",', put: '["prepaid", "api",', pointer: '/plans/3/features/0', at: '"prepaid"', message: '"prepaid" belongs to a plan above already; higher plans have it by their rank.' },
    { title: 'a pager with an unknown parameter', file: 'schemas/calls/_hosts.json', find: '"offset": "offset"', put: '"offset": "ofset"', pointer: '/pagers/offset/offset', at: '"ofset"', message: 'There is no parameter "ofset" in common/params.json.', suggestion: 'offset' },
  ]);
});

test('a file whose form is wrong is not also blamed for what follows from it', () => {
  const { problems } = broken({ file: CALLS, find: '"route": "GET /{id}", "does": "read"', put: '"rout": "GET /{id}", "does": "read"' });
  expect(problems.map(problem => problem.file)).toEqual([CALLS, CALLS]);
  expect(problems.map(problem => problem.message)).toEqual(['A call needs "route".', '"rout" is not a key of a call.']);
});

test('without handlers, renderers and icons their names are not looked for', () => {
  expect(check(miniFiles())).toEqual([]);
});
