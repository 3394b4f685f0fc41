import { documentProblem, type KycField } from '@exchange/core/kyc.ts';
import { useId, useMemo } from 'react';
import type { FormState } from '../form/use-form.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { TextField } from '../ui/text-field.tsx';
import css from './kyc.module.css';
import { countryOptions, type DetailsForm } from './verify-model.ts';

interface DetailFieldsProps {
  readonly form: FormState<DetailsForm>;
  readonly wanted: readonly KycField[];
  readonly kept: { readonly country: string };
}

/**
 * Input fields for those of country, name and document number that the server requests; browser autofill is switched
 * off.
 */
export function DetailFields({ form, wanted, kept }: DetailFieldsProps) {
  const t = useWords('kyc');
  const { values, set, leave, errorOf } = form;
  const country = wanted.includes('country') ? values.country : kept.country;
  const isGood =
    values.idCard !== '' && country !== '' && documentProblem(country, values.idCard) === undefined;
  const hint = country === 'CN' ? t('numberHintCn') : t('numberHint');
  return (
    <div className={css.fields}>
      {wanted.includes('country') ? <CountryField form={form} /> : null}
      {wanted.includes('name') ? (
        <TextField
          label={t('name')}
          hint={t('nameHint')}
          value={values.name}
          onChange={(name) => set('name', name)}
          onBlur={() => leave('name')}
          error={errorOf('name')}
          autoComplete="off"
          spellCheck={false}
          maxLength={120}
        />
      ) : null}
      {wanted.includes('idCard') ? (
        <TextField
          label={t('number')}
          hint={isGood ? <span className={css.good}>{t('numberGood')}</span> : hint}
          value={values.idCard}
          onChange={(idCard) => set('idCard', idCard)}
          onBlur={() => leave('idCard')}
          error={errorOf('idCard')}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
        />
      ) : null}
    </div>
  );
}

function CountryField({ form: { values, set, errorOf } }: Pick<DetailFieldsProps, 'form'>) {
  const t = useWords('kyc');
  const locale = useLocale();
  const id = useId();
  const options = useMemo(() => countryOptions(locale), [locale]);
  const error = errorOf('country');
  return (
    <div>
      <label className={css.label} htmlFor={id}>
        {t('country')}
      </label>
      <select
        id={id}
        className={css.select}
        value={values.country}
        onChange={(event) => set('country', event.currentTarget.value)}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : `${id}-error`}
        autoComplete="off"
      >
        <option value="">{t('chooseCountry')}</option>
        {options.map(({ code, name }) => (
          <option key={code} value={code}>
            {name}
          </option>
        ))}
      </select>
      {error === undefined ? null : (
        <p id={`${id}-error`} className={css.error} role="alert">
          {error}
        </p>
      )}
    </div>
  );
}
