import { formatDecimal } from '../format/format.ts';
import { useLocale, useWords } from '../i18n/words.ts';
import { Checkbox } from '../ui/checkbox.tsx';
import { Step } from '../ui/steps.tsx';
import { TextField } from '../ui/text-field.tsx';
import type { WithdrawControl } from './use-withdraw.ts';
import { asksRecipient, type WithdrawContext } from './withdraw-model.ts';
import css from './withdraw.module.css';

interface RecipientProps {
  readonly control: WithdrawControl;
  readonly moment: WithdrawContext;
}

/**
 * Fields in which the user states the recipient of a withdrawal; renders nothing if the value of the amount does not
 * require it.
 */
export function WithdrawRecipient({ control: { form }, moment }: RecipientProps) {
  const t = useWords('transfer');
  const locale = useLocale();
  const { recipientFrom } = moment;
  if (recipientFrom === undefined || !asksRecipient(form.values, moment)) return null;
  const isOwn = form.values.recipientOwn === '1';
  return (
    <Step title={t('recipientTitle')}>
      <p className={css.hint}>
        {t('recipientWhy', { from: formatDecimal(recipientFrom.toString(), locale) })}
      </p>
      <Checkbox
        label={t('recipientOwn')}
        checked={isOwn}
        onChange={(checked) => {
          form.set('recipientOwn', checked ? '1' : '');
          if (checked) form.checkField('recipientName');
        }}
      />
      {isOwn ? null : (
        <TextField
          label={t('recipientName')}
          value={form.values.recipientName}
          onChange={(value) => form.set('recipientName', value)}
          onBlur={() => form.leave('recipientName')}
          error={form.errorOf('recipientName')}
          autoComplete="off"
          maxLength={100}
        />
      )}
      <TextField
        label={t('recipientProvider')}
        value={form.values.recipientProvider}
        onChange={(value) => form.set('recipientProvider', value)}
        onBlur={() => form.leave('recipientProvider')}
        error={form.errorOf('recipientProvider')}
        hint={t('recipientProviderHint')}
        autoComplete="off"
        maxLength={100}
      />
    </Step>
  );
}
