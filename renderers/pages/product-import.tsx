// Importing products from a product export: choose a file, see what it would create and change and where it is wrong, start, follow. The
// import runs on the server: leaving the page does not stop it, coming back shows how far it is.
import { FileInput } from '../../src/admin/ui/file-input.tsx';
import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, FileSpreadsheet, Upload } from 'lucide-react';
import { type DragEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { allowsCall } from '../../src/contract/access.ts';
import type { JsonObject, JsonValue, Resource } from '../../src/contract/types.ts';
import { callOf, runCall, useAsk, useCall } from '../../src/admin/platform/transport/calls.ts';
import { count, counted, dayTime, money } from '../../src/admin/platform/format.ts';
import { readTextFile } from '../../src/admin/ui/read-text-file.ts';
import { notify, notifyError } from '../../src/admin/ui/notices/notices.tsx';
import { useSession } from '../../src/admin/platform/session/session.tsx';
import { ErrorState } from '../../src/admin/ui/pages/error-page.tsx';
import { usePageTitle } from '../../src/admin/platform/routing/page-title.tsx';
import { CallError, newKey } from '../../src/admin/platform/transport/transport.ts';
import '../../src/admin/record/styles/import.css';
import { Picture } from '../../src/admin/ui/thumbnail.tsx';
import { Errors, Table, Changes, text } from '../../src/admin/features/product-import/changes.tsx';
import { t } from '../../src/domain/text/t.ts';
import { tx } from '../../src/admin/ui/tx.ts';

const LARGEST = 10_000_000;
const PRODUCTS = { one: t`product`, many: t`products` };
const rows = (value: JsonValue | undefined): JsonObject[] => (Array.isArray(value) ? (value as JsonObject[]) : []);
const object = (value: JsonValue | undefined): JsonObject =>
  value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
const isUnderWay = (run: JsonObject | null | undefined): boolean => run?.status === 'QUEUED' || run?.status === 'IN_PROGRESS';

/** Starts an import and tells when it is done, wherever the person is by then. */
async function startImport(fileId: number, mode: string, onStarted: () => void): Promise<void> {
  const done = runCall('product-import.start', { fileId, mode }, { key: newKey() });
  setTimeout(onStarted, 300);
  await done;
  const { data } = await runCall('product-import.progress', {});
  const run = object(data);
  const result = object(run.result);
  if (run.status === 'FAILED') notify(text(run.error) || t`The import failed. Nothing was imported.`, { tone: 'critical' });
  else notify(t`Import finished: ${count(Number(result.created ?? 0))} created, ${count(Number(result.changed ?? 0))} changed.`);
}

export default function ProductImport({ resource }: { resource: Resource }) {
  usePageTitle(resource.title);
  const session = useSession();
  const client = useQueryClient();
  const preview = useCall('product-import.preview');
  const [file, setFile] = useState<JsonObject>();
  const [failure, setFailure] = useState('');
  const [starting, setStarting] = useState(false);
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const verdict = allowsCall(callOf('product-import.preview'), session);
  const run = useAsk<JsonObject | null>(
    'product-import.progress',
    {},
    { refetchInterval: query => (isUnderWay(query.state.data?.data as JsonObject | null) ? 1000 : false) },
  );
  const seen = useRef<JsonValue>(undefined);
  const reread = (): void => void client.invalidateQueries({ predicate: query => query.queryKey[2] === 'product-import.progress' });
  useEffect(() => {
    // Products came in: whatever shows them is read again.
    if (seen.current === 'IN_PROGRESS' && run.data && !isUnderWay(run.data))
      void client.invalidateQueries({
        predicate: query => query.queryKey[0] === 'product' && query.queryKey[2] !== 'product-import.progress',
      });
    seen.current = run.data?.status ?? undefined;
  }, [run.data, client]);

  const take = async (chosen: File | undefined): Promise<void> => {
    if (!chosen || !verdict.ok) return;
    setFailure('');
    if (!/\.(csv|txt)$/i.test(chosen.name)) {
      setFailure(t`“${chosen.name}” isn't a CSV file.  Export your products as CSV and choose that file.`);
      return;
    }
    if (chosen.size > LARGEST) {
      setFailure(t`This file is larger than 10 MB. Split it and import the parts one after the other.`);
      return;
    }
    if (chosen.size === 0) {
      setFailure(t`This file is empty.`);
      return;
    }
    try {
      setFile(object((await preview.run({ fileName: chosen.name, content: await readTextFile(chosen) })).data));
    } catch (error) {
      setFailure(
        error instanceof CallError ? (error.errors[0]?.message ?? error.message) : error instanceof Error ? error.message : String(error),
      );
    }
  };
  const start = (mode: string): void => {
    setStarting(true);
    startImport(Number(file?.fileId), mode, reread)
      .catch((error: unknown) => notifyError(error))
      .finally(() => {
        setStarting(false);
        reread();
      });
    setFile(undefined);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };
  const underWay = starting || isUnderWay(run.data);
  return (
    <div className="p-page p-page-narrow">
      <div className="p-page-head">
        <h1 className="p-page-title">{resource.title}</h1>
        <div className="p-page-actions">
          <Link className="p-btn" to="/products">
            {t`Show products`}
          </Link>
        </div>
      </div>
      <div className="p-stack">
        {run.error && !run.data && (
          <div className="p-card">
            <ErrorState error={run.error} what={t`The state of imports`} onRetry={() => void run.refetch()} />
          </div>
        )}
        {underWay ? (
          <Running run={run.data ?? {}} />
        ) : file ? (
          <Preview file={file} onStart={start} onBack={() => setFile(undefined)} />
        ) : (
          <>
            <div
              className="i-drop"
              data-over={isOver || undefined}
              data-disabled={verdict.ok ? undefined : true}
              onDragOver={event => {
                event.preventDefault();
                setOver(true);
              }}
              onDragLeave={() => setOver(false)}
              onDrop={drop}
            >
              <FileSpreadsheet aria-hidden="true" />
              <h2>{t`Drop a product export here`}</h2>
              <p className="p-muted">
                {t`A CSV file as your store exports it, at most 10 MB. You see what it would change before anything is imported.`}
              </p>
              <FileInput ref={input} accept=".csv,text/csv" onFile={one => void take(one)} />
              <button
                type="button"
                className="p-btn p-btn-primary"
                aria-busy={preview.isPending}
                {...(verdict.ok ? {} : { 'aria-disabled': true, 'data-tip': verdict.message })}
                onClick={() => {
                  if (verdict.ok) input.current?.click();
                }}
              >
                <Upload aria-hidden="true" />
                {t`Choose a file`}
              </button>
              {preview.isPending && (
                <p className="p-hint" role="status">
                  {t`Reading the file …`}
                </p>
              )}
              {failure && (
                <p className="p-error" role="alert">
                  <CircleAlert size={14} aria-hidden="true" />
                  {failure}
                </p>
              )}
            </div>
            {run.data && <Finished run={run.data} />}
          </>
        )}
      </div>
    </div>
  );
}

function Running({ run }: { run: JsonObject }) {
  const [total, done] = [Number(run.total ?? 0), Number(run.processed ?? 0)];
  const percent = Number(run.percent ?? 0);
  return (
    <section className="p-card" aria-label={t`Import under way`}>
      <div className="p-card-body p-stack-s">
        <h2>{t`Importing products`}</h2>
        <p className="p-muted" role="status">
          {total ? t`${count(done)} of ${count(total)} products` : t`Starting …`}
        </p>
        <div className="p-progress" role="progressbar" aria-label={t`Import`} aria-valuemin={0} aria-valuemax={100} aria-valuenow={percent}>
          <span style={{ width: `${percent}%` }} />
        </div>
        <p className="p-hint">{t`You can leave this page. The import goes on, and a notice tells when it is done.`}</p>
      </div>
    </section>
  );
}

function Finished({ run }: { run: JsonObject }) {
  const result = object(run.result);
  const failed = run.status === 'FAILED';
  const prices = Number(result.priceChanges ?? 0);
  const errors = rows(result.errors);
  return (
    <section className="p-card" aria-labelledby="last-import">
      <div className="p-card-head">
        <h2 id="last-import">{t`Last import`}</h2>
        {Boolean(run.finishedAt) && (
          <span className="p-hint">
            {dayTime(text(run.finishedAt))}
            {run.createdBy ? ` · ${text(run.createdBy)}` : ''}
          </span>
        )}
      </div>
      <div className="p-card-body p-stack-s">
        <p className="p-row">
          {failed ? (
            <CircleAlert size={16} className="i-bad" aria-hidden="true" />
          ) : (
            <CircleCheck size={16} className="i-good" aria-hidden="true" />
          )}
          <span>
            {failed
              ? text(run.error) || t`It failed. Nothing was imported.`
              : t`${counted(Number(result.created ?? 0), PRODUCTS)} created, ${count(Number(result.changed ?? 0))} changed,
                ${count(Number(result.unchanged ?? 0))} unchanged.`}
          </span>
        </p>
        {prices > 0 && (
          <p className="p-hint">
            {prices === 1
              ? t`1 price changed. Your automatic updates decide what that means for subscriptions.`
              : t`${count(prices)} prices changed. Your automatic updates decide what that means for subscriptions.`}
          </p>
        )}
        {errors.length > 0 && <Errors errors={errors} total={Number(result.errorCount ?? errors.length)} />}
      </div>
    </section>
  );
}

function Preview({ file, onStart, onBack }: { file: JsonObject; onStart: (mode: string) => void; onBack: () => void }) {
  const counts = object(file.counts);
  const number = (name: string): number => Number(counts[name] ?? 0);
  const errors = rows(file.errors);
  const [tab, setTab] = useState<'create' | 'change' | 'errors'>(
    errors.length ? 'errors' : number('toCreate') || !number('toChange') ? 'create' : 'change',
  );
  const [mode, setMode] = useState(errors.length ? 'SKIP_ERRORS' : 'ALL_OR_NOTHING');
  const good = number('toCreate') + number('toChange');
  const [products, unchanged] = [counted(number('products'), PRODUCTS), count(number('unchanged'))];
  const wrong = counted(number('withErrors'), PRODUCTS);
  const leftOut = t`· those with errors are left out, each of the others comes in whole`;
  const tabs = [
    ['create', t`To create`, number('toCreate')],
    ['change', t`To change`, number('toChange')],
    ['errors', t`Errors`, number('errors')],
  ] as const;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const canStart = good > 0 && !(errors.length > 0 && mode === 'ALL_OR_NOTHING');
  const why =
    good === 0
      ? t`There is nothing to import: every product is as it is in the file, or has errors.`
      : t`Correct the errors first, or import the others.`;
  return (
    <section className="p-card" aria-labelledby="preview-title">
      <div className="p-card-head">
        <h2 id="preview-title" ref={heading} tabIndex={-1} className="p-cut">
          {text(file.fileName)}
        </h2>
        <span className="p-hint">{t`${products}, ${unchanged} unchanged`}</span>
      </div>
      <div className="p-tabs i-tabs" role="tablist" aria-label={t`What the import would do`}>
        {tabs.map(([id, title, n]) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-controls="import-rows"
            aria-selected={tab === id}
            className="p-tab"
            onClick={() => setTab(id)}
          >
            {title}
            <span className="p-count" {...(id === 'errors' && n ? { 'data-tone': 'critical' } : {})}>
              {count(n)}
            </span>
          </button>
        ))}
      </div>
      <div id="import-rows" role="tabpanel" aria-labelledby={`tab-${tab}`} tabIndex={0} className="i-rows">
        {tab === 'create' && (
          <Table
            empty={t`No new products.`}
            head={[t`Row`, t`Product`, t`Handle`, t`Variants`, t`Price`]}
            rows={rows(file.toCreate).map(one => [
              text(one.row),
              <Named key="n" image={text(one.image)} title={text(one.title)} />,
              text(one.handle),
              text(one.variants),
              <Price key="p" of={one} />,
            ])}
          />
        )}
        {tab === 'change' && (
          <Table
            empty={t`No known product changes.`}
            head={[t`Row`, t`Product`, t`Price`, t`Changes`]}
            rows={rows(file.toChange).map(one => [
              text(one.row),
              <Named key="n" image={text(one.image)} title={text(one.title)} />,
              <Price key="p" of={one} />,
              <Changes key="c" list={rows(one.changes)} />,
            ])}
          />
        )}
        {tab === 'errors' &&
          (errors.length ? (
            <Errors errors={errors} total={number('errors')} />
          ) : (
            <p className="r-empty p-muted">{t`No errors. Every row can be imported.`}</p>
          ))}
        {file.isComplete === false && tab !== 'errors' && (
          <p className="p-hint i-note">{t`The first 200 of each kind are shown; the counts are of all.`}</p>
        )}
      </div>
      {errors.length > 0 && (
        <fieldset className="p-card-body i-mode">
          <legend className="p-label">{t`${wrong} with errors`}</legend>
          <label className="p-choice">
            <input type="radio" className="p-radio" name="mode" checked={mode === 'SKIP_ERRORS'} onChange={() => setMode('SKIP_ERRORS')} />
            <span>{tx`Import the others${<span className="p-hint"> {leftOut}</span>}`}</span>
          </label>
          <label className="p-choice">
            <input
              type="radio"
              className="p-radio"
              name="mode"
              checked={mode === 'ALL_OR_NOTHING'}
              onChange={() => setMode('ALL_OR_NOTHING')}
            />
            <span>{tx`Import nothing${<span className="p-hint"> {t`· correct the file first and choose it again`}</span>}`}</span>
          </label>
        </fieldset>
      )}
      <div className="p-card-foot p-end">
        <button type="button" className="p-btn" onClick={onBack}>
          {t`Choose another file`}
        </button>
        <button
          type="button"
          className="p-btn p-btn-primary"
          {...(canStart ? {} : { 'aria-disabled': true, 'data-tip': why })}
          onClick={() => {
            if (canStart) onStart(errors.length ? mode : 'ALL_OR_NOTHING');
          }}
        >
          {good ? t`Import ${counted(good, PRODUCTS)}` : t`Nothing to import`}
        </button>
      </div>
    </section>
  );
}

const Named = ({ image, title }: { image: string; title: string }) => (
  <span className="p-row">
    <Picture src={image} className="p-thumbnail-s" />
    <span className="p-cut">{title}</span>
  </span>
);

/** What the product will cost, from its cheapest variant to its dearest. */
function Price({ of: { minPrice, maxPrice } }: { of: JsonObject }) {
  const { store } = useSession();
  const [low, high] = [minPrice, maxPrice].map(price => money(text(price), store.currency_code));
  return <span className="p-tabular i-price">{minPrice === undefined ? '–' : low === high ? low : `${low} – ${high}`}</span>;
}
