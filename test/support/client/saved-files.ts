// Catches files that a page saves.
import type { Test } from 'tap'

export function savedFiles(t: Pick<Test, 'intercept'>): Map<string, Blob> {
  const files = new Map<string, Blob>()
  let last: Blob | null = null
  t.intercept(URL, 'createObjectURL', {
    value: (blob: Blob) => {
      last = blob
      return 'blob:file'
    }
  })
  t.intercept(URL, 'revokeObjectURL', { value: () => {} })
  t.intercept(window.HTMLAnchorElement.prototype, 'click', {
    value(this: HTMLAnchorElement) {
      if (last) files.set(this.download, last)
    }
  })
  return files
}
