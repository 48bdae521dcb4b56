// Catches files that a page saves.
import type { Test } from 'tap'

export function savedFiles(t: Pick<Test, 'intercept'>): Map<string, Blob> {
  const files = new Map<string, Blob>()
  let lastBlob: Blob | null = null
  t.intercept(URL, 'createObjectURL', {
    value: (blob: Blob) => {
      lastBlob = blob
      return 'blob:file'
    }
  })
  t.intercept(URL, 'revokeObjectURL', { value: () => {} })
  t.intercept(window.HTMLAnchorElement.prototype, 'click', {
    value(this: HTMLAnchorElement) {
      if (lastBlob) files.set(this.download, lastBlob)
    }
  })
  return files
}
