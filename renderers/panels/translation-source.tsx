// What a translation is made from: the words of the primary language, with what it must keep marked.
import { useId } from 'react';
import type { JsonObject } from '../../src/contract/types.ts';
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import { Words, type TextRecord } from '../../src/admin/features/texts/text-row.tsx';
import { useAsk } from '../../src/admin/platform/transport/calls.ts';
import '../../src/admin/features/texts/texts.css';

export default function TranslationSource({ section, options }: FormPanelProps) {
  const id = useId();
  const { data: texts } = useAsk<TextRecord[]>('multilingual.fetch_localized_entity_translations', options.with as JsonObject);
  return (
    <section className="p-card" aria-labelledby={id}>
      <div className="p-card-head">
        <h2 id={id}>{section.title}</h2>
      </div>
      <dl className="p-card-body x-source">
        {texts?.map(text => (
          <div key={text.key}>
            <dt className="p-hint">{text.label}</dt>
            <dd className="x-text-source">
              <Words text={text.source} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
