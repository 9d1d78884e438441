// A text with variables in Liquid, and a menu that puts one in where the cursor stands.
import { useQuery } from '@tanstack/react-query';
import { Braces } from 'lucide-react';
import { parametersOf } from '../../src/admin/form/fields/answers.ts';
import { numberOption, ariaProps, textOption } from '../../src/admin/form/fields/affix.tsx';
import { useText } from '../../src/admin/form/fields/use-text.ts';
import { emptyText } from '../../src/admin/form/fields/widgets.ts';
import type { WidgetProps } from '../../src/admin/form/fields/widget.ts';
import { MenuButton, type MenuItem } from '../../src/admin/ui/overlays/menu.tsx';
import type { JsonObject } from '../../src/contract/types.ts';
import { inSentence, t } from '../../src/domain/text/t.ts';

export default function Template(props: WidgetProps<string>) {
  const { id, label, schema, options, nullable, required, form } = props;
  const rows = numberOption(options, 'rows') ?? 8;
  const text = useText<string, HTMLTextAreaElement>({
    ...props,
    read: typed => (typed.trim() === '' ? emptyText(schema, nullable, required) : typed) as string | undefined,
  });
  const call = textOption(options, 'call') ?? '';
  const input = parametersOf(form, options.with);
  const { data, isPending } = useQuery({
    queryKey: ['answers', call, input],
    staleTime: 300_000,
    queryFn: ({ signal }) => form.services.ask(call, input, signal),
  });
  const insert = (key: string): void => {
    const box = text.ref.current;
    if (!box) return;
    const from = box.selectionStart,
      to = box.selectionEnd;
    // The menu gives the focus back to its button when it closes; the text has it after that.
    setTimeout(() => {
      box.focus();
      box.setRangeText(`{{ ${key} }}`, from, to, 'end');
      text.onInput();
    });
  };
  const variables = Array.isArray(data) ? (data as JsonObject[]) : [];
  const items = (): MenuItem[] =>
    variables.flatMap(({ key, label: title, group }, i) => [
      ...(variables[i - 1]?.group === group ? [] : [{ kind: 'head' as const, title: String(group) }]),
      { title: String(title), hint: String(key), onSelect: () => insert(String(key)) },
    ]);
  return (
    <div className="f-template">
      <textarea
        className="p-input"
        id={id}
        rows={rows}
        placeholder={textOption(options, 'placeholder')}
        data-lines={rows === 1 ? 'one' : undefined}
        spellCheck
        onKeyDown={event => {
          // A subject has one line: Enter does not begin another.
          if (rows === 1 && event.key === 'Enter' && !event.metaKey && !event.ctrlKey) event.preventDefault();
        }}
        {...ariaProps(props)}
        {...text}
      />
      {(isPending || variables.length > 0) && (
        <MenuButton className="p-btn p-btn-s" label={t`Insert a variable into ${inSentence(label)}`} items={items} align="end">
          <Braces size={14} aria-hidden="true" /> {t`Insert variable`}
        </MenuButton>
      )}
    </div>
  );
}
