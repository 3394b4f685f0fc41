import { useClaimFaucet } from '@exchange/web-kit/account/queries.ts';
import { formatDecimal } from '@exchange/web-kit/format/format.ts';
import { useLocale, useWords } from '@exchange/web-kit/i18n/words.ts';
import { notify } from '@exchange/web-kit/notify.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';

/** Demo mode: claims play money. */
export function ClaimButton() {
  const t = useWords('assets');
  const locale = useLocale();
  const claim = useClaimFaucet();
  const press = async () => {
    try {
      const { credited } = await claim.mutateAsync();
      const list = credited
        .map(({ currency, amount }) => `${formatDecimal(amount, locale)} ${currency}`)
        .join(', ');
      notify.success(t('claimed', { list }));
    } catch (error) {
      // Reason: claimed already today, or the call did not come through; the sentence says which.
      notify.failure(error);
    }
  };
  return (
    <Button size="s" busy={claim.isPending} onClick={() => void press()}>
      {t('claim')}
    </Button>
  );
}
