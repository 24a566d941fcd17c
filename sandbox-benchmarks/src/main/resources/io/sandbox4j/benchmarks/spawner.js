// The same as spawner.c, with Node's child_process.
const {spawn} = require('node:child_process');
const fs = require('node:fs');
const readline = require('node:readline');

const [six, seven, program, ...args] = process.argv.slice(2);

function run() {
	return new Promise((resolve, reject) => {
		const files = [six, seven].map((file) => (file === '-' ? 'ignore' : fs.openSync(file, 'r')));
		const child = spawn(program, args, {
			env: {PATH: '/usr/bin:/bin'},
			stdio: ['ignore', 'pipe', 'pipe', 'ignore', 'ignore', 'ignore', ...files],
		});
		files.filter((file) => file !== 'ignore').forEach((file) => fs.closeSync(file));
		child.stdout.resume();
		child.stderr.resume();
		child.on('error', reject);
		child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`))));
	});
}

(async () => {
	for await (const line of readline.createInterface({input: process.stdin})) {
		const from = process.hrtime.bigint();
		for (let i = Number(line); i > 0; i--) await run();
		process.stdout.write(`${process.hrtime.bigint() - from}\n`);
	}
})();
