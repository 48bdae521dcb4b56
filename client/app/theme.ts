// The theme: the stored choice, else the system's. public/theme.js applies the same rule before the first paint.
import { listen } from '../lib/browser.ts'

export type ThemeChoice = 'light' | 'dark' | 'system'

const STORED = 'portal.theme'
const DARK = '(prefers-color-scheme: dark)'

export function storedTheme(): ThemeChoice {
  try {
    const choice = localStorage.getItem(STORED)
    return choice === 'light' || choice === 'dark' ? choice : 'system'
  } catch {
    return 'system'
  }
}

export function chooseTheme(choice: ThemeChoice): void {
  try {
    if (choice === 'system') localStorage.removeItem(STORED)
    else localStorage.setItem(STORED, choice)
  } catch {}
  showTheme(choice)
}

function showTheme(choice: ThemeChoice): void {
  const system = window.matchMedia(DARK).matches ? 'dark' : 'light'
  const theme = choice === 'system' ? system : choice
  document.documentElement.dataset.theme = theme
  const bar = theme === 'dark' ? '#161b24' : '#ffffff'
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', bar)
}

/** Applies changes of the system and of other tabs. Returns a function that stops it. */
export function followTheme(): () => void {
  const media = window.matchMedia(DARK)
  const follow = () => showTheme(storedTheme())
  const stopFollowing = followTabs(follow)
  media.addEventListener('change', follow)
  return () => {
    stopFollowing()
    media.removeEventListener('change', follow)
  }
}

/** Calls back when another tab changes the theme or clears the storage (its key is null). Returns a function that stops it. */
export function followTabs(work: () => void): () => void {
  return listen(window, { storage: ({ key }) => (key === STORED || key === null) && work() })
}
