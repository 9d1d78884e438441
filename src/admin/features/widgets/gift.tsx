// The offer to give a subscription away, and the banner for subscribers, as shoppers see them.
import { useState } from 'react';
import type { JsonObject } from '../../../contract/types.ts';
import { filledIn } from '../../../domain/text/placeholders.ts';
import { word, type PartProps } from './purchase.tsx';

export function Gift({ preferences, texts }: Pick<PartProps, 'preferences' | 'texts'>) {
  const [isPressed, setPressed] = useState<boolean>();
  const isOpen = isPressed ?? preferences.isOpenAtFirst === true;
  const field = (key: string, type: string) => (
    <label className="gift-field">
      <span>{word(texts[key])}</span>
      {type === 'area' ? <textarea rows={2} /> : <input type={type} />}
    </label>
  );
  return (
    <div className="gift">
      {preferences.layoutType === 'BUTTON' ? (
        <button type="button" className="gift-name" aria-expanded={isOpen} onClick={() => setPressed(!isOpen)}>
          {word(texts.giftLabelText)}
        </button>
      ) : (
        <label className="line">
          <input type="checkbox" checked={isOpen} onChange={event => setPressed(event.target.checked)} />
          <span className="gift-name">{word(texts.giftLabelText)}</span>
        </label>
      )}
      {word(texts.giftDescriptionText) && <p className="gift-text">{word(texts.giftDescriptionText)}</p>}
      {isOpen && (
        <>
          {field('recipientNameLabel', 'text')}
          {field('recipientEmailLabel', 'email')}
          {preferences.showMessage !== false && field('messageLabel', 'area')}
          {preferences.showDeliveryDate !== false && field('deliveryDateLabel', 'date')}
          <button type="button" className="gift-button">
            {word(texts.addGiftToCartButtonText)}
          </button>
        </>
      )}
    </div>
  );
}

interface BannerProps {
  preferences: JsonObject;
  texts: JsonObject;
  /** The day of the next order, as shoppers read it. */
  nextOrder: string;
  /** Names of subscriptions to choose from. */
  subscriptions: readonly string[];
}
export function Banner({ preferences, texts, nextOrder, subscriptions }: BannerProps) {
  const [isAdded, setAdded] = useState(false);
  const add = (key: string) => (
    <button type="button" className="banner-button" onClick={() => setAdded(true)}>
      {word(texts[key])}
    </button>
  );
  return (
    <div className="banner">
      <p className="banner-title">{word(texts.bannerTitleText)}</p>
      <p className="banner-text">{filledIn(word(texts.bannerSubtitleText), { next_order_date: nextOrder })}</p>
      <label className="banner-choice">
        {word(texts.selectSubscriptionLabel)}
        <select>
          {subscriptions.map(name => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      <div className="banner-buttons">
        {preferences.offerOneTime !== false && add('addOneTimeCta')}
        {preferences.offerSubscription !== false && add('addSubscriptionCta')}
      </div>
      <p className="banner-text" role="status">
        {isAdded ? word(texts.addedMessage) : ''}
      </p>
      {preferences.showSubscriptionLink !== false && <span className="banner-link">{word(texts.viewSubscriptionLink)}</span>}
    </div>
  );
}
