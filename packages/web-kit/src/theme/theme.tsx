import './base.css';
import './tokens.css';
import {
  type CSSVariablesResolver,
  type MantineColorsTuple,
  MantineProvider,
  createTheme,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import '@mantine/core/styles/default-css-variables.layer.css';
import { type ReactNode, useEffect } from 'react';
import { create } from 'zustand';
import { useLocale, type Locale } from '../i18n/words.ts';
import { recall, remember } from '../storage.ts';

const AMETHYST: MantineColorsTuple = [
  '#f5f1ff',
  '#e6dcff',
  '#cdbafc',
  '#b39dfa',
  '#a07ff8',
  '#8b5cf6',
  '#7c3aed',
  '#6d28d9',
  '#5b21b6',
  '#4c1d95',
];

const theme = createTheme({
  primaryColor: 'amethyst',
  primaryShade: 6,
  colors: { amethyst: AMETHYST },
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--font-mono)',
  defaultRadius: 'var(--radius-m)',
  respectReducedMotion: true,
  cursorType: 'pointer',
});

/** The UI kit's own variables, pointed at our meanings. */
const kitVariables = {
  '--mantine-color-body': 'var(--surface-1)',
  '--mantine-color-text': 'var(--text-1)',
  '--mantine-color-dimmed': 'var(--text-2)',
  '--mantine-color-placeholder': 'var(--text-3)',
  '--mantine-color-error': 'var(--red)',
  '--mantine-color-default': 'var(--surface-2)',
  '--mantine-color-default-hover': 'var(--surface-hover)',
  '--mantine-color-default-border': 'var(--line)',
  '--mantine-color-default-color': 'var(--text-1)',
};

const resolveVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: kitVariables,
  dark: kitVariables,
});

/** Theme of everything inside: dark or light as the system has it until the person chooses. */
export function Theme({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" cssVariablesResolver={resolveVariables}>
      <UpColour />
      {children}
    </MantineProvider>
  );
}

function UpColour() {
  const colour = useUpDownColours().up;
  useEffect(() => {
    document.documentElement.dataset['upColour'] = colour;
  }, [colour]);
  return null;
}

export type ColourSchemeChoice = 'system' | 'dark' | 'light';

/** The scheme in use, what was chosen, and the way to choose. */
export function useColourScheme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('dark', { getInitialValueInEffect: false });
  return {
    scheme,
    choice: colorScheme === 'auto' ? ('system' as const) : colorScheme,
    choose: (choice: ColourSchemeChoice) => setColorScheme(choice === 'system' ? 'auto' : choice),
  };
}

const RED_RISES: ReadonlySet<Locale> = new Set(['zh-CN', 'ko-KR']);

/** Which colour means up; by locale until the person chooses: red in Chinese and Korean, green elsewhere. */
export function useUpDownColours() {
  const { chosen, choose } = useUpColourChoice();
  const locale = useLocale();
  return { up: chosen ?? (RED_RISES.has(locale) ? ('red' as const) : ('green' as const)), choose };
}

export type UpColour = 'green' | 'red';

const KEY = 'up-colour';

interface UpColourChoice {
  /** Undefined until the person chooses. */
  readonly chosen: UpColour | undefined;
  readonly choose: (colour: UpColour) => void;
}

/** The colour that this device's person has chosen for rising prices. */
export const useUpColourChoice = create<UpColourChoice>((set) => ({
  chosen: stored(),
  choose: (chosen) => {
    remember(KEY, chosen);
    set({ chosen });
  },
}));

function stored(): UpColour | undefined {
  const colour = recall(KEY);
  return colour === 'green' || colour === 'red' ? colour : undefined;
}
