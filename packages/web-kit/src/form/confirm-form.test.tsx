import { cleanup, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { CallRefused } from '../api/client.ts';
import { loadAllWords } from '../i18n/words.ts';
import { Providers } from '../shell/providers.tsx';
import { AmountField } from './amount-field.tsx';
import { ConfirmForm } from './confirm-form.tsx';
import type { StepUp, StepUpProof } from './step-up.ts';

type Act = (proof: Partial<StepUp>) => Promise<unknown>;

beforeAll(() => loadAllWords());
afterEach(cleanup);

function open(stepUp: readonly StepUpProof[], act: Act, onDone = vi.fn<() => void>()) {
  render(
    <Providers>
      <ConfirmForm
        consequence={<p>Sends 5 USDT away.</p>}
        button="Send"
        stepUp={stepUp}
        sendCode={async () => 60}
        act={act}
        onDone={onDone}
      />
    </Providers>,
  );
  return { user: userEvent.setup(), onDone };
}

const send = () => screen.getByRole('button', { name: 'Send' });

describe('a confirmation form', () => {
  it('WEB-190 submits at once if its endpoint requires no proof', async () => {
    const act = vi.fn<Act>(async () => undefined);
    const { user, onDone } = open([], act);
    expect(screen.getByText('Sends 5 USDT away.')).toBeDefined();
    expect(screen.queryByLabelText('Trade password')).toBeNull();
    await user.click(send());
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
    expect(act).toHaveBeenCalledWith({});
  });

  it('WEB-190 does not submit before all proofs are present, and sends them by the endpoint’s field names', async () => {
    const act = vi.fn<Act>(async () => undefined);
    const { user, onDone } = open(['assetsPwd', 'code'], act);
    await user.type(screen.getByLabelText('Trade password'), '27a19 4x2');
    await user.click(send());
    expect(screen.getAllByRole('alert')).toHaveLength(1);
    expect(act).not.toHaveBeenCalled();
    await user.type(screen.getByLabelText('Email code'), '123456');
    await user.click(send());
    await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
    expect(act).toHaveBeenCalledWith({ assetsPwd: '271942', code: '123456' });
  });

  it('WEB-190 shows a refusal at its proof and stays open', async () => {
    const no = new CallRefused(-10, 'Wrong trade password.', 'l.trade_password_wrong', {
      field: 'assetsPwd',
    });
    const { user, onDone } = open(['assetsPwd'], () => Promise.reject(no));
    await user.type(screen.getByLabelText('Trade password'), '271942');
    await user.click(send());
    const field = screen.getByLabelText('Trade password');
    await waitFor(() => expect(field.getAttribute('aria-invalid')).toBe('true'));
    expect(onDone).not.toHaveBeenCalled();
  });
});

describe('an amount field', () => {
  it('WEB-191 shows the available amount and fills in all of it, or the allowed maximum', async () => {
    const change = vi.fn<(value: string) => void>();
    const field = { label: 'Amount', coin: 'USDT', value: '', onChange: change, places: 6 };
    const { rerender } = render(<AmountField {...field} available="12.5" />);
    expect(screen.getByText('12.50')).toBeDefined();
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Max' }));
    rerender(<AmountField {...field} available="12.5" most="10" />);
    await user.click(screen.getByRole('button', { name: 'Max' }));
    expect(change.mock.calls).toEqual([['12.5'], ['10']]);
    rerender(<AmountField {...field} available={undefined} />);
    expect(screen.getByRole('button', { name: 'Max' })).toHaveProperty('disabled', true);
  });
});
