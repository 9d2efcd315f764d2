// Writes the memory of Python once the board's part of it is imported: node memory.mjs PYODIDE ARCHIVE OUTPUT
import fs from "node:fs";
import { pathToFileURL } from "node:url";

const [pyodide, archive, output] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(pyodide));
const python = await loadPyodide({ _makeSnapshot: true });
python.unpackArchive(new Uint8Array(fs.readFileSync(archive)), "zip");
python.runPython("import table; table.catalogue()");
fs.writeFileSync(output, python.makeMemorySnapshot());
