// A widget in the editor: the storefront's own element (src/storefront), which draws what is being typed.
import { useEffect, useRef } from 'react';
import { PerennialWidget, type WidgetContent } from '../../../storefront/perennial-widget.ts';
import { PerennialBanner, type BannerContent } from '../../../storefront/parts/banner.ts';
import { PerennialGift, type GiftContent } from '../../../storefront/parts/gift.ts';

const ELEMENTS = { 'perennial-widget': PerennialWidget, 'perennial-gift': PerennialGift, 'perennial-banner': PerennialBanner };
interface Contents {
  'perennial-widget': WidgetContent;
  'perennial-gift': GiftContent;
  'perennial-banner': BannerContent;
}

interface ElementPreviewProps<Tag extends keyof Contents> {
  tag: Tag;
  content: Contents[Tag];
  /** The language of its words. */
  lang: string;
}
export function ElementPreview<Tag extends keyof Contents>({ tag, content, lang }: ElementPreviewProps<Tag>) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current) return;
    if (!customElements.get(tag)) customElements.define(tag, ELEMENTS[tag]);
    const element = place.current.firstElementChild ?? place.current.appendChild(document.createElement(tag));
    Object.assign(element, { lang, preview: content });
  }, [tag, content, lang]);
  return <div ref={place} />;
}
