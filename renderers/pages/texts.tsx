// The editor of texts: categories at the left, each text with the words it starts from and those of the store in one language.
import { FileInput } from '../../src/admin/ui/file-input.tsx';
import { Download, Upload } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Navigate } from 'react-router-dom';
import { allowsCall } from '../../src/contract/access.ts';
import type { JsonObject, Resource } from '../../src/contract/types.ts';
import { download } from '../../src/admin/ui/download.ts';
import { MachineTranslation } from '../../src/admin/features/texts/machine-translation.tsx';
import { LeftDialog, type LeftText } from '../../src/admin/features/texts/left-dialog.tsx';
import { TextRow, rowId, type TextRecord } from '../../src/admin/features/texts/text-row.tsx';
import { categoryOf, useTextEdits } from '../../src/admin/features/texts/use-text-edits.ts';
import { TextLanguages } from '../../src/admin/features/texts/text-languages.tsx';
import { Replace, TextsBar } from '../../src/admin/features/texts/texts-bar.tsx';
import { percent } from '../../src/admin/platform/format.ts';
import { usePageTitle } from '../../src/admin/platform/routing/page-title.tsx';
import { useSession } from '../../src/admin/platform/session/session.tsx';
import { callOf, useAsk, useCall } from '../../src/admin/platform/transport/calls.ts';
import { useLeaveGuard } from '../../src/admin/ui/leave-guard.ts';
import { readTextFile } from '../../src/admin/ui/read-text-file.ts';
import { notify, notifyError } from '../../src/admin/ui/notices/notices.tsx';
import { MenuButton } from '../../src/admin/ui/overlays/menu.tsx';
import { ErrorState } from '../../src/admin/ui/pages/error-page.tsx';
import '../../src/admin/features/texts/texts.css';
import { t } from '../../src/domain/text/t.ts';

interface Category extends JsonObject {
  categoryId: string;
  title: string;
  description: string;
  total: number;
  translated: number;
  percent: number;
}
const SHOWN = [
  ['all', t`All`],
  ['MISSING', t`Missing`],
  ['DRAFT', t`To review`],
] as const;

export default function Texts({ resource, params }: { resource: Resource; params: Record<string, string> }) {
  const options = resource.options as Record<
    'categories' | 'list' | 'save' | 'exportFile' | 'importFile' | 'language' | 'languages' | 'owner' | 'primary',
    string | undefined
  >;
  const language = useAsk<JsonObject>(
    options.language ?? options.categories ?? '',
    options.language ? { id: Number(params.id) } : undefined,
  );
  const isTranslation = options.language !== undefined;
  const locale = isTranslation ? language.data && String(language.data.locale) : undefined;
  const title = isTranslation ? t`${String(language.data?.name ?? '')} translations`.trim() : resource.title;
  usePageTitle(title);
  if (language.error)
    return (
      <div className="p-page">
        <div className="p-card">
          <ErrorState error={language.error} what={t`The language`} onRetry={() => void language.refetch()} />
        </div>
      </div>
    );
  const owner: JsonObject = options.owner === undefined ? {} : { [options.owner]: params.nanoId ?? '' };
  // The words of the primary language are the store's own, which have a page of their own.
  if (isTranslation && language.data?.isPrimary === true && options.primary) return <Navigate to={options.primary} replace />;
  if (isTranslation && locale === undefined) return <div className="p-page" aria-busy="true" />;
  return (
    <Editor
      key={locale}
      title={title}
      options={options as Record<string, string>}
      owner={owner}
      locale={locale}
      name={String(language.data?.name ?? '')}
    />
  );
}

/** What an import left, and what would import it. */
interface Left {
  count: number;
  texts: readonly LeftText[];
  input: JsonObject;
}
interface EditorProps {
  title: string;
  options: Record<string, string>;
  /** Whose texts they are, where the calls ask for it. */
  owner: JsonObject;
  locale: string | undefined;
  name: string;
}
function Editor({ title, options, owner, locale, name }: EditorProps) {
  const session = useSession();
  const where: JsonObject = { ...owner, ...(locale === undefined ? {} : { localeStoreId: locale }) };
  const categories = useAsk<Category[]>(options.categories ?? '', where);
  const [chosen, setChosen] = useState<string>();
  const category = categories.data?.find(one => one.categoryId === chosen) ?? categories.data?.[0];
  const list = useAsk<TextRecord[]>(options.list ?? '', category && { ...where, ...categoryOf(options.list ?? '', category.categoryId) });
  const [shown, setShown] = useState<(typeof SHOWN)[number][0]>('all');
  const [search, setSearch] = useState('');
  const importing = useCall(options.importFile ?? options.save ?? '');
  const hasOne = categories.data?.length === 1;
  const file = useRef<HTMLInputElement>(null);
  const isReadOnly = !allowsCall(callOf(options.save ?? ''), session).ok;
  const isTranslation = locale !== undefined;
  const edits = useTextEdits({ call: options.save ?? '', where, isTranslation, onRefused: setChosen });
  const [left, setLeft] = useState<Left>();
  useLeaveGuard(
    () =>
      edits.size
        ? {
            title: t`Leave without saving?`,
            text: t`Your changes to these texts are not saved.`,
            submit: t`Leave`,
            dismiss: t`Stay`,
            tone: 'critical',
          }
        : undefined,
    edits.giveUp,
  );

  const searchWords = search.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = (list.data ?? []).filter(
    text =>
      edits.isStale(text) ||
      // What is being typed does not make its own row vanish.
      ((shown === 'all' || text.state === shown || edits.has(text)) &&
        searchWords.every(word =>
          [text.key, text.label, text.source, text.value ?? '', text.group].some(one => one.toLowerCase().includes(word)),
        )),
  );
  const stale = (list.data ?? []).filter(edits.isStale);

  const { isHeld, settle } = edits;
  useEffect(() => {
    if (!isHeld || stale.length === 0) return;
    document.querySelector<HTMLElement>('.x-theirs button')?.focus();
    settle();
  }, [isHeld, settle, stale.length]);

  const take = async (given: File | undefined): Promise<void> => {
    if (!given) return;
    try {
      const input = { ...where, fileName: given.name, content: await readTextFile(given) };
      const { data, message } = await importing.run(input);
      const { left: count, leftTexts } = data as unknown as { left: number; leftTexts: LeftText[] };
      if (message) notify(message);
      if (count > 0) setLeft({ count, texts: leftTexts, input });
    } catch (error) {
      notifyError(error);
    }
  };
  const overwrite = async (input: JsonObject): Promise<void> => {
    try {
      const { message } = await importing.run({ ...input, overwrite: true });
      setLeft(undefined);
      if (message) notify(message);
    } catch (error) {
      notifyError(error);
    }
  };
  const groups = [...new Set(rows.map(text => text.group))];
  return (
    <div className="p-page">
      <div className="p-page-head">
        <h1 className="p-page-title">{title}</h1>
        <div className="p-page-actions">
          {options.languages && <TextLanguages call={options.languages} />}
          {options.exportFile && (
            <MenuButton
              className="p-btn"
              label={t`Export texts`}
              items={() =>
                (['CSV', 'XLIFF'] as const).map(format => ({
                  title: format === 'CSV' ? t`As CSV, for spreadsheets` : t`As XLIFF, for translators`,
                  onSelect: () =>
                    void download(options.exportFile ?? '', { ...where, format }, `texts.${format === 'CSV' ? 'csv' : 'xlf'}`),
                }))
              }
            >
              <Download size={16} aria-hidden="true" /> {t`Export`}
            </MenuButton>
          )}
          {!isReadOnly && options.importFile && (
            <button type="button" className="p-btn" aria-busy={importing.isPending} onClick={() => file.current?.click()}>
              <Upload size={16} aria-hidden="true" /> {t`Import`}
            </button>
          )}
          <FileInput ref={file} accept=".csv,.xlf,.xliff,.xml" onFile={one => void take(one)} />
        </div>
      </div>
      <div className="p-stack">
        {isTranslation && options.owner === undefined && (
          <MachineTranslation
            locale={locale}
            name={name}
            category={{ id: category?.categoryId ?? '', title: category?.title ?? '' }}
            isDirty={edits.size > 0}
          />
        )}
        {categories.isPending && (
          <div className="p-card p-card-body p-stack-s" role="status" aria-label={t`Loading`}>
            {Array.from({ length: 6 }, (_, i) => (
              <span key={i} className="p-skeleton p-sk-6" />
            ))}
          </div>
        )}
        <div className="x-texts" data-single={hasOne || undefined} hidden={categories.isPending}>
          <nav className="p-card x-texts-side" aria-label={t`Categories of texts`} hidden={hasOne}>
            {categories.data?.map(one => (
              <button
                key={one.categoryId}
                type="button"
                aria-current={one.categoryId === category?.categoryId ? 'true' : undefined}
                onClick={() => setChosen(one.categoryId)}
              >
                <span>{one.title}</span>
                <span className="p-hint p-tabular">
                  {isTranslation ? percent(one.percent) : one.translated > 0 ? t`${one.translated} own` : ''}
                </span>
              </button>
            ))}
          </nav>
          <section className="p-card" aria-label={category?.title ?? t`Texts`} aria-busy={list.isPending}>
            <div className="p-card-body p-stack-s">
              {category && <p className="p-muted">{category.description}</p>}
              <div className="x-texts-tools">
                <input
                  type="search"
                  className="p-input"
                  aria-label={t`Search keys and words`}
                  placeholder={t`Search keys and words`}
                  value={search}
                  onChange={event => setSearch(event.target.value)}
                />
                {isTranslation && (
                  <div className="p-segment" role="group" aria-label={t`Which texts`}>
                    {SHOWN.map(([key, label]) => (
                      <button key={key} type="button" aria-pressed={shown === key} onClick={() => setShown(key)}>
                        {label}
                      </button>
                    ))}
                  </div>
                )}
                {!isReadOnly && (
                  <Replace
                    texts={rows.map(text => [text, edits.wordsOf(text) || (isTranslation ? '' : text.source)] as const)}
                    onReplace={edits.change}
                  />
                )}
              </div>
            </div>
            {(categories.error ?? list.error) && (
              <ErrorState
                error={categories.error ?? list.error}
                what={t`The texts`}
                onRetry={() => void (categories.error ? categories : list).refetch()}
              />
            )}
            {list.data && rows.length === 0 && (
              <p className="x-texts-empty p-muted">
                {search
                  ? t`No texts match. Try other words.`
                  : shown === 'MISSING'
                    ? t`Nothing is missing here.`
                    : t`There is nothing here.`}
              </p>
            )}
            {groups.map(group => (
              <div key={group}>
                {group && <h2 className="x-texts-group p-strong">{group}</h2>}
                {rows
                  .filter(text => text.group === group)
                  .map(text => (
                    <TextRow
                      key={rowId(text)}
                      text={text}
                      words={edits.wordsOf(text)}
                      isTranslation={isTranslation}
                      isReadOnly={isReadOnly}
                      refused={edits.refusalOf(text)}
                      onChange={words => edits.change([[text, words]])}
                      conflict={
                        edits.isStale(text) ? { onKeep: () => edits.keepMine([text]), onTake: () => edits.takeTheirs([text]) } : undefined
                      }
                    />
                  ))}
              </div>
            ))}
          </section>
        </div>
      </div>
      <TextsBar
        changes={edits.size}
        wrong={edits.wrong}
        stale={stale.length}
        isSaving={edits.isSaving}
        onKeepMine={() => edits.keepMine(stale)}
        onTakeTheirs={() => edits.takeTheirs(stale)}
        onSave={() => {
          if (stale.length === 0) void edits.save();
        }}
        onDiscard={edits.discard}
      />
      {left && (
        <LeftDialog
          count={left.count}
          texts={left.texts}
          isBusy={importing.isPending}
          onOverwrite={() => void overwrite(left.input)}
          onClose={() => setLeft(undefined)}
        />
      )}
    </div>
  );
}
