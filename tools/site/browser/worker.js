// Runs Python in a worker: the page stays quick while a searcher thinks.
let files; // name -> Uint8Array, from the page
const types = { wasm: "application/wasm", mjs: "text/javascript", json: "application/json" };
const link = (name) => URL.createObjectURL(new Blob([files[name]], { type: types[name.split(".").pop()] ?? "application/zip" }));

const fetched = self.fetch;
self.fetch = (address, ...rest) => {
  const name = String(address.url ?? address).split("/").pop();
  return files[name] ? fetched(link(name)) : Promise.reject(new Error(`the page carries no ${name}`));
};

// Pyodide wants a worker that is a module; from a file a page may start none. What it misses is not needed here.
self.importScripts = () => { throw new Error("no scripts are imported"); };

async function start() {
  const { loadPyodide } = await import(link("pyodide.mjs"));
  const { default: createPyodideModule } = await import(link("pyodide.asm.mjs"));
  const python = await loadPyodide({
    indexURL: "http://pyodide.invalid/",
    createPyodideModule,
    stdLibURL: "http://pyodide.invalid/python_stdlib.zip",
    lockFileContents: JSON.parse(new TextDecoder().decode(files["pyodide-lock.json"])),
  });
  python.unpackArchive(files["python.zip"], "zip");
  const table = python.pyimport("table");
  table.listen((values) => self.postMessage({ values: JSON.parse(values) }));
  self.postMessage({ games: JSON.parse(table.catalogue()) });
  return table;
}

// The last line of a traceback is `ggp.errors.SomeError: the sentence`.
const sentence = (error) => error.message.trim().split("\n").pop().replace(/^[\w.]+: /, "");

let table;
self.onmessage = async ({ data }) => {
  try {
    if (data.files) {
      files = data.files;
      table = start();
    }
    const python = await table;
    if (data.begin) python.begin(...data.begin);
    if (data.wish) python.ask(JSON.stringify(data.wish));
    if (data.plugin) {
      const added = JSON.parse(python.add(data.plugin));
      self.postMessage({ games: JSON.parse(python.catalogue()), chosen: added[0] });
    }
  } catch (error) {
    self.postMessage({ trouble: sentence(error) });
  }
};
