/** Why a file with devices, or one of its rows, changes nothing. */
export const BULK_EDIT = {
  workbook:
    'This is a workbook, not a CSV file. Open it in the spreadsheet, save it as “CSV UTF-8”, and choose that file.',
  unreadable:
    'This file is not a text that can be read. Save it in the spreadsheet as “CSV UTF-8”, and choose that file.',
  empty: 'The file is empty. Choose the file that you saved in the spreadsheet.',
  noRows: 'The file has no rows below its first row. Choose the file that you saved in the spreadsheet.',
  tooLarge: (megabytes: number) =>
    `The file is larger than ${megabytes} MB. Choose the file that you saved in the spreadsheet.`,
  tooManyRows: (max: string) =>
    `The file has more than ${max} rows, which can be changed at a time. Split it into several files.`,
  endlessRow: (row: number) => `A quotation mark in row ${row} is not closed.`,
  missingColumns: (names: readonly string[]) =>
    `The file lacks columns: ${names.join(', ')}. Keep all columns and the first row, or save the file from the portal again.`,
  doubleColumn: (name: string) =>
    `The file has the column “${name}” twice. Remove one of them, and choose the file again.`,
  tooManyCells: (cells: number, columns: number) =>
    `The row has ${cells} cells, but the file has ${columns} columns. A text with a comma or semicolon may need quotes.`,
  wrongQuotes: 'A quotation mark in the row is not closed, or stands in the middle of a cell.',
  uuidEmpty: 'The Device UUID is empty.',
  unknownUuid: 'The customer has no device with this Device UUID.',
  duplicate: (rows: readonly number[]) =>
    `The device is in several rows: ${rows.join(', ')}. Keep one of them.`,
  versionLost: 'The Version is not as it was saved. Save the file from the portal again.',
  changedSince:
    'The device has changed since the file was saved. Save the file from the portal again, and repeat your change.',
  nameEmpty: 'Enter a device name.',
  locationEmpty: 'Enter a location.',
  projectEmpty: 'A device cannot leave its project without another one.',
  unknownProject: 'The customer has no project with this name.',
  ambiguousProject: (names: readonly string[]) =>
    `Several projects have this name. Write one of ${names.map((name) => `“${name}”`).join(', ')}.`,
  mayNotMove: 'Your role does not include moving devices to another project.'
} as const
