// The editor behind rich-text fields: a chunk of its own. What it hands on is cleaned, whatever was pasted.
import { EditorContent, useEditor, useEditorState } from '@tiptap/react';
import type { Editor } from '@tiptap/react';
import { StarterKit } from '@tiptap/starter-kit';
import { Bold, Heading2, Italic, Link2, List, ListOrdered, Redo2, RemoveFormatting, Underline, Undo2 } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { cleanHtml } from './clean-html.ts';
import { useLatest } from '../engine/hooks.ts';
import { Popover } from './popover.tsx';
import { t } from '../../../domain/text/t.ts';

export type Variable = {
  key: string;
  label: string;
};
export interface RichTextEditorProps {
  id: string;
  label: string;
  value: string;
  describedBy: string | undefined;
  invalid: boolean;
  placeholder: string | undefined;
  variables: Variable[];
  /** Called at every change with the way to read the text, so that nothing is computed while typing. */
  onChange(read: () => string): void;
  onLeave(): void;
}

export default function RichTextEditor({
  id,
  label,
  value,
  describedBy,
  invalid,
  placeholder,
  variables,
  onChange,
  onLeave,
}: RichTextEditorProps) {
  const box = useRef<HTMLDivElement>(null);
  const handedOn = useRef(value);
  const handlers = useLatest({ onChange });
  const editor = useEditor({
    extensions: [
      StarterKit.configure({
        heading: { levels: [2, 3] },
        codeBlock: false,
        code: false,
        horizontalRule: false,
        link: {
          openOnClick: false,
          autolink: true,
          defaultProtocol: 'https',
          HTMLAttributes: { rel: 'noopener noreferrer', target: '_blank' },
        },
      }),
    ],
    content: cleanHtml(value),
    injectCSS: false,
    editorProps: {
      transformPastedHTML: cleanHtml,
      attributes: {
        id,
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        class: 'f-rich-text',
        ...(placeholder ? { 'data-placeholder': placeholder } : {}),
      },
    },
    onUpdate: ({ editor: now }) =>
      handlers.current.onChange(() => {
        handedOn.current = now.isEmpty ? '' : cleanHtml(now.getHTML());
        return handedOn.current;
      }),
  });
  useEffect(() => {
    const element = editor?.view.dom;
    if (describedBy) element?.setAttribute('aria-describedby', describedBy);
    else element?.removeAttribute('aria-describedby');
    if (invalid) element?.setAttribute('aria-invalid', 'true');
    else element?.removeAttribute('aria-invalid');
  }, [editor, describedBy, invalid]);
  useEffect(() => {
    if (!editor || value === handedOn.current) return;
    handedOn.current = value;
    editor.commands.setContent(cleanHtml(value), { emitUpdate: false });
  }, [editor, value]);
  if (!editor) return null;
  return (
    <div
      className="f-rich"
      ref={box}
      data-invalid={invalid || undefined}
      onBlur={event => {
        if (!event.currentTarget.contains(event.relatedTarget)) onLeave();
      }}
    >
      <Toolbar editor={editor} label={label} variables={variables} />
      <EditorContent editor={editor} />
    </div>
  );
}

function Toolbar({ editor, label, variables }: { editor: Editor; label: string; variables: Variable[] }) {
  const state = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      bold: now.isActive('bold'),
      italic: now.isActive('italic'),
      underline: now.isActive('underline'),
      heading: now.isActive('heading', { level: 2 }),
      list: now.isActive('bulletList'),
      numbers: now.isActive('orderedList'),
      link: now.isActive('link'),
      canUndo: now.can().undo(),
      canRedo: now.can().redo(),
    }),
  });
  const bar = useRef<HTMLDivElement>(null);
  // One stop of the Tab key; arrows go along the bar.
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (!by || !(event.target instanceof HTMLButtonElement)) return;
    const buttons = [...bar.current!.querySelectorAll<HTMLButtonElement>('button:not(:disabled)')];
    const next = buttons[(buttons.indexOf(event.target) + by + buttons.length) % buttons.length];
    for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
    next?.focus();
    event.preventDefault();
  };
  const chain = () => editor.chain().focus();
  return (
    <div className="f-rich-bar" role="toolbar" aria-label={t`Formatting of ${label}`} ref={bar} onKeyDown={onKeyDown}>
      <Tool first icon={Bold} title={t`Bold`} on={state.bold} run={() => chain().toggleBold().run()} />
      <Tool icon={Italic} title={t`Italic`} on={state.italic} run={() => chain().toggleItalic().run()} />
      <Tool icon={Underline} title={t`Underline`} on={state.underline} run={() => chain().toggleUnderline().run()} />
      <span className="f-rich-sep" />
      <Tool icon={Heading2} title={t`Heading`} on={state.heading} run={() => chain().toggleHeading({ level: 2 }).run()} />
      <Tool icon={List} title={t`List`} on={state.list} run={() => chain().toggleBulletList().run()} />
      <Tool icon={ListOrdered} title={t`Numbered list`} on={state.numbers} run={() => chain().toggleOrderedList().run()} />
      <LinkTool editor={editor} on={state.link} />
      <span className="f-rich-sep" />
      <Tool icon={RemoveFormatting} title={t`Clear formatting`} run={() => chain().unsetAllMarks().clearNodes().run()} />
      <Tool icon={Undo2} title={t`Undo`} off={!state.canUndo} run={() => chain().undo().run()} />
      <Tool icon={Redo2} title={t`Redo`} off={!state.canRedo} run={() => chain().redo().run()} />
      {variables.length > 0 && (
        <select
          className="p-input p-select f-rich-variables"
          aria-label={t`Insert a variable`}
          value=""
          tabIndex={-1}
          onChange={event => {
            if (event.target.value) chain().insertContent(`{{${event.target.value}}}`).run();
          }}
        >
          <option value="">{t`Insert …`}</option>
          {variables.map(({ key, label: title }) => (
            <option key={key} value={key}>
              {title}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}

function Tool({
  icon: Icon,
  title,
  on,
  off = false,
  first = false,
  run,
}: {
  icon: LucideIcon;
  title: string;
  on?: boolean;
  off?: boolean;
  first?: boolean;
  run: () => void;
}) {
  return (
    <button
      type="button"
      className="p-icon-btn p-icon-btn-s"
      aria-label={title}
      title={title}
      aria-pressed={on}
      disabled={off}
      tabIndex={first ? 0 : -1}
      onMouseDown={event => event.preventDefault()}
      onClick={run}
    >
      <Icon aria-hidden="true" />
    </button>
  );
}

function LinkTool({ editor, on }: { editor: Editor; on: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLSpanElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const close = () => {
    setOpen(false);
    editor.commands.focus();
  };
  const apply = () => {
    const typed = input.current?.value.trim() ?? '';
    const href = /^[a-z]+:/i.test(typed) ? typed : `https://${typed}`;
    if (!typed) editor.chain().focus().extendMarkRange('link').unsetLink().run();
    else if (editor.state.selection.empty && !on)
      editor
        .chain()
        .focus()
        .insertContent({ type: 'text', text: typed, marks: [{ type: 'link', attrs: { href } }] })
        .run();
    else editor.chain().focus().extendMarkRange('link').setLink({ href }).run();
    setOpen(false);
  };
  return (
    <span ref={anchor}>
      <Tool icon={Link2} title={t`Link`} on={on} run={() => setOpen(!isOpen)} />
      {isOpen && (
        <Popover anchor={anchor} onClose={close} role="dialog" label={t`Link`} className="f-link" takesFocus>
          <input
            ref={input}
            className="p-input p-input-s"
            aria-label={t`Address of the link`}
            placeholder="https://"
            defaultValue={String(editor.getAttributes('link').href ?? '')}
            onKeyDown={event => {
              if (event.key === 'Enter') {
                event.preventDefault();
                apply();
              }
            }}
          />
          <button type="button" className="p-btn p-btn-s p-btn-primary" onClick={apply}>
            {t`Set`}
          </button>
          {on && (
            <button
              type="button"
              className="p-btn p-btn-s"
              onClick={() => {
                editor.chain().focus().extendMarkRange('link').unsetLink().run();
                setOpen(false);
              }}
            >
              {t`Remove`}
            </button>
          )}
        </Popover>
      )}
    </span>
  );
}
