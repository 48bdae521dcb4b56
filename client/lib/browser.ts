/** Leaving the page, in one replaceable place. */
export const browser = {
  /** Whether unsaved changes may hold the page back; a session that is over leaves nothing to save them with. */
  guarded: true,
  leaveTo(url: string) {
    window.location.assign(url)
  },
  reload() {
    window.location.reload()
  }
}
