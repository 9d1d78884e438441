// Opening a store: its name, its owner, and what can't be changed later without trouble: country, currency and time zone. A link to the
// owner's address is the way in.
import { type FormEvent, type ReactElement, useId, useMemo, useState } from 'react';
import { CURRENCIES_IN_USE, currencyOfCountry } from '../../../domain/money/currencies-in-use.ts';
import { COUNTRIES } from '../../../domain/text/countries.ts';
import { language, t } from '../../../domain/text/t.ts';
import { isEmail } from '../../../contract/validation/patterns.ts';
import { runCall } from '../../platform/transport/calls.ts';
import { CallError } from '../../platform/transport/transport.ts';

type Field = 'storeName' | 'firstName' | 'lastName' | 'email' | 'countryCode' | 'currencyCode' | 'timezone';
const FIELDS: readonly Field[] = ['storeName', 'firstName', 'lastName', 'email', 'countryCode', 'currencyCode', 'timezone'];

interface Option {
  value: string;
  title: string;
}
const inOrder = (options: Option[]): Option[] => options.sort((a, b) => a.title.localeCompare(b.title, language()));
/** Codes under their names in the reader's language. */
const named = (type: 'region' | 'currency', codes: readonly string[], withCode: boolean): Option[] => {
  const names = new Intl.DisplayNames([language()], { type });
  return inOrder(codes.map(code => ({ value: code, title: withCode ? `${names.of(code) ?? code} (${code})` : (names.of(code) ?? code) })));
};

/** What the browser tells of where a person is: "de-AT" is Austria. Empty where it tells nothing. */
const regionOfBrowser = (): string => {
  const region = new Intl.Locale(navigator.language).region ?? '';
  return COUNTRIES.includes(region) ? region : '';
};

/** The currency follows the country until a person chooses another one. */
const following = (now: Record<Field, string>, country: string): Partial<Record<Field, string>> =>
  now.currencyCode === currencyOfCountry(now.countryCode) ? { currencyCode: currencyOfCountry(country) } : {};

export default function SignUpForm({
  refCode,
  onSent,
  onBack,
}: {
  /** Code of the merchant whose link led here; empty: none. */
  refCode: string;
  onSent: (email: string) => void;
  onBack: () => void;
}): ReactElement {
  const [values, setValues] = useState<Record<Field, string>>(() => ({
    storeName: '',
    firstName: '',
    lastName: '',
    email: '',
    countryCode: regionOfBrowser(),
    currencyCode: currencyOfCountry(regionOfBrowser()),
    timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  }));
  const [wrong, setWrong] = useState<Partial<Record<Field, string>>>({});
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const id = useId();
  const countries = useMemo(() => named('region', COUNTRIES, false), []);
  const currencies = useMemo(() => named('currency', CURRENCIES_IN_USE, true), []);
  const zones = useMemo(() => {
    const all = new Set([...Intl.supportedValuesOf('timeZone'), values.timezone]);
    return [...all].map(zone => ({ value: zone, title: zone.replaceAll('_', ' ') }));
    // The browser's own zone may be an older name, which is not in the list.
  }, [values.timezone]);

  const missing: Record<Field, string> = {
    storeName: t`Enter the name of your store.`,
    firstName: t`Enter your first name.`,
    lastName: t`Enter your last name.`,
    email: t`Enter your e-mail address.`,
    countryCode: t`Choose the country of your store.`,
    currencyCode: t`Choose the currency of your prices.`,
    timezone: t`Choose a time zone.`,
  };
  const focusOn = (field: Field | undefined): void => document.getElementById(`${id}-${field}`)?.focus();

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isBusy) return;
    const found: Partial<Record<Field, string>> = {};
    for (const field of FIELDS) if (!values[field].trim()) found[field] = missing[field];
    if (!found.email && !isEmail(values.email.trim())) found.email = t`Enter a full e-mail address, such as name@example.com.`;
    setWrong(found);
    setError(undefined);
    const first = FIELDS.find(field => found[field]);
    if (first) {
      focusOn(first);
      return;
    }
    setBusy(true);
    const given = { ...values, email: values.email.trim(), ...(refCode ? { ref: refCode } : {}) };
    runCall('sign-in.signUp', given).then(
      () => onSent(given.email),
      (failure: unknown) => {
        setBusy(false);
        const errors = failure instanceof CallError ? failure.errors : [];
        const named: Partial<Record<Field, string>> = Object.fromEntries(errors.map(({ pointer, message }) => [pointer.slice(1), message]));
        const place = FIELDS.find(field => named[field]);
        setWrong(named);
        if (place) focusOn(place);
        else setError(failure instanceof Error ? failure.message : String(failure));
      },
    );
  };

  const field = (name: Field, label: string, control: (props: Control) => ReactElement): ReactElement => (
    <div className="p-field" key={name}>
      <label className="p-label" htmlFor={`${id}-${name}`}>
        {label}
      </label>
      {control({
        id: `${id}-${name}`,
        name,
        value: values[name],
        disabled: isBusy,
        'aria-invalid': wrong[name] !== undefined,
        'aria-describedby': wrong[name] ? `${id}-${name}-wrong` : undefined,
        onChange: ({ target }) => {
          setValues(now => ({ ...now, ...(name === 'countryCode' ? following(now, target.value) : {}), [name]: target.value }));
          setWrong(now => ({ ...now, [name]: undefined }));
        },
      })}
      {wrong[name] && (
        <span className="p-error" id={`${id}-${name}-wrong`} role="alert">
          {wrong[name]}
        </span>
      )}
    </div>
  );
  const text = (name: Field, label: string, more: { type?: string; autoComplete: string; maxLength: number }): ReactElement =>
    field(name, label, props => <input className="p-input" {...more} {...props} />);
  const choice = (name: Field, label: string, options: readonly Option[], empty: string): ReactElement =>
    field(name, label, props => (
      <select className="p-input p-select" {...props}>
        <option value="">{empty}</option>
        {options.map(({ value, title }) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    ));

  return (
    <form className="p-bare-form" onSubmit={submit} noValidate>
      <h1>{t`Open a store`}</h1>
      <p className="p-muted">
        {t`We send you a link that signs you in. Products come from your shop, which you connect afterwards, or from a file.`}
      </p>
      {text('storeName', t`Name of the store`, { autoComplete: 'organization', maxLength: 60 })}
      <div className="p-bare-pair">
        {text('firstName', t`First name`, { autoComplete: 'given-name', maxLength: 60 })}
        {text('lastName', t`Last name`, { autoComplete: 'family-name', maxLength: 60 })}
      </div>
      {text('email', t`E-mail`, { type: 'email', autoComplete: 'email', maxLength: 254 })}
      {choice('countryCode', t`Country`, countries, t`Choose a country`)}
      {choice('currencyCode', t`Currency`, currencies, t`Choose a currency`)}
      {choice('timezone', t`Time zone`, zones, t`Choose a time zone`)}
      {error && (
        <p className="p-error" role="alert">
          {error}
        </p>
      )}
      <button type="submit" className="p-btn p-btn-primary p-btn-l" aria-busy={isBusy}>
        {t`Open the store`}
      </button>
      <button type="button" className="p-btn p-btn-plain" disabled={isBusy} onClick={onBack}>
        {t`Sign in instead`}
      </button>
    </form>
  );
}

interface Control {
  id: string;
  name: string;
  value: string;
  disabled: boolean;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
  onChange: (event: { target: { value: string } }) => void;
}
