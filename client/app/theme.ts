// The theme: the stored choice, else the system's. public/theme.js applies the same rule before the first paint.
import { followPrinting, isPrinting, listen } from '../lib/browser.ts'

export type ThemeChoice = 'light' | 'dark' | 'system'

const STORAGE_KEY = 'portal.theme'
const DARK_QUERY = '(prefers-color-scheme: dark)'

export function storedTheme(): ThemeChoice {
  try {
    const choice = localStorage.getItem(STORAGE_KEY)
    return choice === 'light' || choice === 'dark' ? choice : 'system'
  } catch {
    return 'system'
  }
}

export function chooseTheme(choice: ThemeChoice): void {
  try {
    if (choice === 'system') localStorage.removeItem(STORAGE_KEY)
    else localStorage.setItem(STORAGE_KEY, choice)
  } catch {}
  showTheme(choice)
}

function showTheme(choice: ThemeChoice): void {
  const system = window.matchMedia(DARK_QUERY).matches ? 'dark' : 'light'
  const chosen = choice === 'system' ? system : choice
  // Charts on paper have the colours of the light theme too.
  const theme = isPrinting() ? 'light' : chosen
  document.documentElement.dataset.theme = theme
  const barColor = theme === 'dark' ? '#161b24' : '#ffffff'
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', barColor)
}

/** Applies theme changes of the system and of other tabs, and the light theme on paper, until the returned function is called. */
export function followTheme(): () => void {
  const media = window.matchMedia(DARK_QUERY)
  const applyTheme = () => showTheme(storedTheme())
  const stopFollowing = followTabs(applyTheme)
  const stopPrinting = followPrinting(applyTheme)
  media.addEventListener('change', applyTheme)
  return () => {
    stopFollowing()
    stopPrinting()
    media.removeEventListener('change', applyTheme)
  }
}

/** Calls back when another tab changes the theme or clears the storage (a null key). Returns a function that stops this. */
export function followTabs(onChange: () => void): () => void {
  return listen(window, { storage: ({ key }) => (key === STORAGE_KEY || key === null) && onChange() })
}
