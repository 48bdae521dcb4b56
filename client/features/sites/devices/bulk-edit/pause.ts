/** Lets the page handle what waits, as a click, before a long work goes on. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))
