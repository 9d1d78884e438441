// A web address; what is typed without https:// gets it. A button opens it.
import { ExternalLink } from 'lucide-react';
import { AffixInput, ariaProps, textOption } from '../../src/admin/form/fields/affix.tsx';
import { useText } from '../../src/admin/form/fields/use-text.ts';
import { emptyText } from '../../src/admin/form/fields/widgets.ts';
import type { WidgetProps } from '../../src/admin/form/fields/widget.ts';
import { t } from '../../src/domain/text/t.ts';

const complete = (typed: string) => (/^[\w-]+(\.[\w-]+)+([/?#:].*)?$/.test(typed) ? `https://${typed}` : typed);

export default function Url(props: WidgetProps<string>) {
  const { id, label, schema, options, nullable, required, value } = props;
  const text = useText<string>({
    ...props,
    read: typed => (typed.trim() === '' ? emptyText(schema, nullable, required) : complete(typed.trim())) as string | undefined,
  });
  const canOpen = typeof value === 'string' && /^https?:\/\/\S+$/i.test(value) && !props.compact;
  const open = canOpen && (
    <a className="f-affix-btn" href={value} target="_blank" rel="noopener noreferrer" aria-label={t`Open ${label} in a new tab`}>
      <ExternalLink size={16} aria-hidden="true" />
    </a>
  );
  // Always in the same box, so that the input keeps its place (and the cursor) when the button appears.
  return (
    <AffixInput
      id={id}
      type="url"
      inputMode="url"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      placeholder={textOption(options, 'placeholder') ?? 'https://'}
      after={open || <span className="f-affix-none" />}
      {...ariaProps(props)}
      {...text}
    />
  );
}
