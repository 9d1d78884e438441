// What was typed into the editor of texts and is not saved: kept over categories, saved together, and told apart from what others changed.
import { useCallback, useEffect, useMemo, useState } from 'react';
import type { JsonObject } from '../../../contract/types.ts';
import { draftStorage } from '../../platform/session/draft-storage.ts';
import { callOf, markStale, runCall } from '../../platform/transport/calls.ts';
import { CallError, newKey } from '../../platform/transport/transport.ts';
import { notify, notifyError } from '../../ui/notices/notices.tsx';
import { t } from '../../../domain/text/t.ts';
import { problemsOf, rowId, type TextRecord } from './text-row.tsx';

/** Words that were typed, and the text as it was when they were begun. */
interface TextEdit {
  text: TextRecord;
  words: string;
}
export interface TextEdits {
  size: number;
  /** Changes that can't be saved as they are. */
  wrong: number;
  isSaving: boolean;
  has: (text: TextRecord) => boolean;
  wordsOf: (text: TextRecord) => string;
  /** What the server has against the words. */
  refusalOf: (text: TextRecord) => string | undefined;
  change: (changes: readonly (readonly [TextRecord, string])[]) => void;
  /** Whether another person changed a text, as it was read now, since this edit began. */
  isStale: (text: TextRecord) => boolean;
  /** Lets the words that were typed stand over those that are there now. */
  keepMine: (texts: readonly TextRecord[]) => void;
  takeTheirs: (texts: readonly TextRecord[]) => void;
  discard: () => void;
  /** The page is left without saving, as the person chose: what was typed is not offered the next time. */
  giveUp: () => void;
  save: () => Promise<void>;
  /** The last save met another person's words, until `settle`: the choice is to be shown. */
  isHeld: boolean;
  settle: () => void;
}
export interface TextEditsOptions {
  /** The call that writes them. */
  call: string;
  /** The language. */
  where: JsonObject;
  isTranslation: boolean;
  /** A category that the server refused, so that it is shown. */
  onRefused: (categoryId: string) => void;
}

/** The parameter that names a category, of calls that are for more than one. */
export const categoryOf = (call: string, categoryId: string): JsonObject =>
  callOf(call).in.some(({ name }) => name === 'categoryId') ? { categoryId } : {};

export function useTextEdits({ call, where, isTranslation, onRefused }: TextEditsOptions): TextEdits {
  const name = `texts/${call}/${JSON.stringify(where)}`;
  const place = useMemo(() => draftStorage<[string, TextEdit][]>(name), [name]);
  const [edits, setEdits] = useState<ReadonlyMap<string, TextEdit>>(() => new Map(place.read()));
  useEffect(() => {
    if (edits.size) place.write([...edits]);
    else place.clear();
  }, [edits, place]);
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map());
  const [isSaving, setSaving] = useState(false);
  const [isHeld, setHeld] = useState(false);

  const change: TextEdits['change'] = changes => {
    const next = new Map(edits);
    for (const [text, words] of changes) {
      const id = rowId(text);
      // The text as it was when the edit began: a later change by another person is noticed.
      const begun = next.get(id)?.text ?? text;
      if (words === (text.value ?? '')) next.delete(id);
      else next.set(id, { text: begun, words });
    }
    setEdits(next);
    if (refused.size) setRefused(new Map([...refused].filter(([id]) => !changes.some(([text]) => rowId(text) === id))));
  };
  const wordsOf = (text: TextRecord): string => edits.get(rowId(text))?.words ?? text.value ?? '';
  const isStale = (text: TextRecord): boolean => {
    const edit = edits.get(rowId(text));
    return edit !== undefined && text.version > 0 && edit.text.version !== text.version && edit.words !== (text.value ?? '');
  };
  const wrong = [...edits.values()].filter(({ text, words }) => problemsOf(text, words, isTranslation).length > 0).length;

  const saveCategory = async (id: string): Promise<string[] | undefined> => {
    const mine = [...edits].filter(([, { text }]) => text.categoryId === id);
    const translations = mine.map(([, { text, words }]) => ({
      key: text.key,
      value: words,
      version: text.version,
      ...(text.entityId ? { entityId: text.entityId } : {}),
    }));
    try {
      await runCall(call, { ...where, ...categoryOf(call, id), translations }, { key: newKey() });
    } catch (error) {
      if (error instanceof CallError && (error.conflict || error.errors.length)) {
        onRefused(id);
        setRefused(new Map(error.errors.map(({ pointer, message }) => [mine[Number(pointer.split('/')[2])]?.[0] ?? '', message] as const)));
        // What others wrote comes to stand beside what was typed.
        if (error.conflict) {
          await markStale('store-text');
          setHeld(true);
          return undefined;
        }
      }
      throw error;
    }
    return mine.map(([key]) => key);
  };
  const save = async (): Promise<void> => {
    if (wrong > 0 || isSaving) return;
    setSaving(true);
    const left = new Map(edits);
    try {
      for (const id of new Set([...edits.values()].map(({ text }) => text.categoryId))) {
        const saved = await saveCategory(id);
        if (!saved) return;
        for (const key of saved) left.delete(key);
        setEdits(new Map(left));
      }
      notify(t`The texts are saved.`);
    } catch (error) {
      notifyError(error);
    } finally {
      setSaving(false);
    }
  };

  return {
    size: edits.size,
    wrong,
    isSaving,
    has: text => edits.has(rowId(text)),
    wordsOf,
    refusalOf: text => refused.get(rowId(text)),
    change,
    isStale,
    keepMine: texts => setEdits(new Map([...edits, ...texts.map(text => [rowId(text), { text, words: wordsOf(text) }] as const)])),
    takeTheirs: texts => {
      const gone = new Set(texts.map(rowId));
      setEdits(new Map([...edits].filter(([id]) => !gone.has(id))));
    },
    discard: () => {
      const lost = edits;
      setEdits(new Map());
      setRefused(new Map());
      notify(t`Changes discarded.`, { tone: 'info', undo: () => setEdits(lost) });
    },
    giveUp: place.clear,
    save,
    isHeld,
    settle: useCallback(() => setHeld(false), []),
  };
}
