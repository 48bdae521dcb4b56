import t from 'tap'
import { browserTest } from '../../support/browser/browser.ts'
import { isOfPeople, walkPages } from './walk-pages.ts'

walkPages({ ...(await browserTest(t)), visits: isOfPeople, pagesMin: 8, controlsMin: 4 })
