import './base.css';
import './tokens.css';
import { MantineProvider, createTheme, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import '@mantine/core/styles/default-css-variables.layer.css';
import { type ReactNode, useEffect } from 'react';
import { create } from 'zustand';
import { useLocale, type Locale } from '../i18n/words.ts';
import { recall, remember } from '../storage.ts';
import { setBrowserColour } from './surfaces.ts';

const theme = createTheme({ respectReducedMotion: true });

/** Theme of everything inside: dark or light as the system has it until the person chooses. */
export function Theme({ children }: { children: ReactNode }) {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      // Its variables stand in our style sheets: the page policy allows no style element.
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <UpColour />
      <BrowserColour />
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

/** Keeps the browser's own bars in the colour of the page. */
function BrowserColour() {
  const { scheme } = useColourScheme();
  useEffect(() => setBrowserColour(scheme), [scheme]);
  return null;
}

export type ColourSchemeChoice = 'system' | 'dark' | 'light';

/** The scheme in use, what was chosen, and the way to choose. */
export function useColourScheme() {
  // Holding transitions back for the change would take a style element.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
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
