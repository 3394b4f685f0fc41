import { useState, type ChangeEvent, type CompositionEvent } from 'react';

type TextInput = HTMLInputElement | HTMLTextAreaElement;

/**
 * Props of a controlled text input that supports input methods (Japanese, Chinese, Korean). During a
 * composition the input shows the raw text, because replacing it by a normalised value, such as `0.5` for
 * `０．５`, would end the composition and duplicate characters. `onTyped` receives every change.
 */
export function useComposedInput(value: string, onTyped: (typed: string) => void) {
  const [composed, setComposed] = useState<string>();
  return {
    value: composed ?? value,
    onCompositionStart: ({ currentTarget }: CompositionEvent<TextInput>) => setComposed(currentTarget.value),
    onChange: ({ currentTarget, nativeEvent }: ChangeEvent<TextInput>) => {
      const isOver = 'isComposing' in nativeEvent && nativeEvent.isComposing === false;
      if (composed !== undefined) setComposed(isOver ? undefined : currentTarget.value);
      onTyped(currentTarget.value);
    },
    onCompositionEnd: ({ currentTarget }: CompositionEvent<TextInput>) => {
      setComposed(undefined);
      onTyped(currentTarget.value);
    },
  };
}
