function run = withy_read(folder)
%WITHY_READ  The results of `withy run`, in MATLAB or GNU Octave (7 or later).
%
%   run = withy_read('arm.out') reads a folder of results:
%
%   run.time                       [T 1]     times of the snapshots
%   run.rods.arm.position          [T P 3]   space coordinates at the arc lengths run.rods.arm.s, [P 1]
%   run.rods.arm.frame             [T . 4]   unit quaternions w, x, y, z at run.rods.arm.frame_s
%   run.rods.arm.force, ...        [T . 3]   all other quantities of result.h5, each at its NAME_s
%   run.rods.arm.actuators.x0      offset [P 2] and force [T 1] of actuator 0
%   run.batches.x.position, ...    [T count P 3]   of the copies x1, x2, ... of a rod, which share s, frame_s, ...
%   run.bodies.hub.position, ...   [T 3]     velocity, angular_velocity; frame [T 4]
%   run.joints.grip.force, ...     [T 3]     moment, position; axis of a hinge, and its angle [T 1]
%   run.springs.tie.force, length  [T 1]     and ends [T 2 3]
%   run.energy.kinetic, ...        [T 1]
%   run.momentum.linear, angular   [T 3]
%   run.strands.tress.position     [T count P 3]
%   run.modes                      omega or factor, and the shapes of each rod and body
%   run.probes.t, run.probes.tip.x, ...   the columns of probes.csv
%   run.tables.steps, path, modes, buckling   those of the other tables
%   run.summary                    summary.json
%
%   What the run did not write is missing. Dimensions are in the order of docs/guide/results.md, time first: HDF5 readers
%   of MATLAB and Octave reverse them, this function turns them back. Only complete snapshots are returned. In names
%   everything but letters, digits and _ becomes _, and x stands before a name that does not begin with a letter.
%   If two names become the same one, only one of them is returned.
%
%   p = run.rods.arm.position;  plot3(p(end, :, 1), p(end, :, 2), p(end, :, 3))   % the last snapshot

  run = struct();
  if ~exist(folder, 'dir')
    error('withy_read:folder', 'there is no folder %s', folder);
  end
  file = fullfile(folder, 'result.h5');
  if exist(file, 'file')
    raw = read_raw(file);
    run = turn_group(raw, '', double(raw.frames));
  end
  for name = {'probes', 'steps', 'path', 'modes', 'buckling'}
    file = fullfile(folder, [name{1} '.csv']);
    if exist(file, 'file') && strcmp(name{1}, 'probes')
      run.probes = read_table(file);
    elseif exist(file, 'file')
      run.tables.(name{1}) = read_table(file);
    end
  end
  file = fullfile(folder, 'summary.json');
  if exist(file, 'file')
    run.summary = jsondecode(fileread(file));
  end
end

% ---- result.h5 ----

% All datasets as the reader gives them, in structs for the groups.
function raw = read_raw(file)
  if exist('OCTAVE_VERSION', 'builtin')
    raw = load('-hdf5', file);
  else
    raw = read_group(file, h5info(file));
  end
end

function raw = read_group(file, info)
  raw = struct();
  for k = 1:numel(info.Datasets)
    name = info.Datasets(k).Name;
    raw.(valid(name)) = h5read(file, [regexprep(info.Name, '/$', '') '/' name]);
  end
  for k = 1:numel(info.Groups)
    raw.(valid(regexprep(info.Groups(k).Name, '.*/', ''))) = read_group(file, info.Groups(k));
  end
end

% Turns the dimensions of everything in a group, and leaves out snapshots that are not complete.
function out = turn_group(raw, path, snapshots)
  out = struct();
  names = fieldnames(raw);
  for k = 1:numel(names)
    item = raw.(names{k});
    name = valid(names{k});
    here = [path '/' name];
    if isstruct(item)
      out.(name) = turn_group(item, here, snapshots);
      continue
    end
    [rank, moves] = describe(here, name);
    item = double(item);
    if rank == 1
      item = item(:);
    else
      item = permute(item, rank:-1:1); % also where dimensions of size 1 were dropped at the end
    end
    if moves
      place = repmat({':'}, 1, rank);
      item = item(1:snapshots, place{2:end});
    end
    out.(name) = item;
  end
end

% How many dimensions a dataset has, and whether it has an entry for each snapshot.
function [rank, moves] = describe(path, name)
  top = regexprep(path, '^/([^/]*).*', '$1');
  rank = 1;
  moves = any(strcmp(top, {'time', 'energy', 'momentum', 'bodies', 'joints', 'springs'}));
  if any(strcmp(name, {'line', 'offset'}))
    rank = 2;
  elseif strcmp(top, 'momentum')
    rank = 2;
  elseif any(strcmp(top, {'bodies', 'joints'}))
    rank = 2 - strcmp(name, 'angle');
  elseif strcmp(top, 'springs')
    rank = 1 + 2 * strcmp(name, 'ends');
  elseif strcmp(top, 'batches')
    moves = isempty(regexp(name, '^(s|radius|.*_s)$', 'once'));
    rank = 1 + 3 * moves + strcmp(name, 'radius');
  elseif strcmp(top, 'strands')
    rank = 4;
    moves = true;
  elseif strcmp(top, 'modes')
    if any(strcmp(name, {'displacement', 'rotation', 'position', 'frame'}))
      rank = 3;
    end
  elseif any(strcmp(name, {'position', 'velocity', 'frame', 'angular_velocity', 'strain', 'force', 'curvature', ...
                           'moment', 'multiplier'}))
    moves = true;
    if isempty(strfind(path, '/actuators/')) % the force of an actuator is one number
      rank = 3;
    end
  end
end

% ---- Tables ----

% Columns by name; "tip.x" is the field x of tip. A line that a killed run left incomplete is not read.
function table = read_table(file)
  text = fileread(file);
  ends = find(text == char(10));
  names = strsplit(strtrim(text(1:ends(1))), ',');
  numbers = sscanf(strrep(text(ends(1) + 1:ends(end)), ',', ' '), '%f', [numel(names) Inf]);
  table = struct();
  for k = 1:numel(names)
    parts = cellfun(@valid, strsplit(names{k}, '.'), 'UniformOutput', false);
    table = setfield(table, parts{:}, numbers(k, :)');
  end
end

% A name that a struct can have.
function name = valid(name)
  name = regexprep(name, '[^A-Za-z0-9_]', '_');
  if isempty(regexp(name, '^[A-Za-z]', 'once'))
    name = ['x' regexprep(name, '^_', '')]; % Octave's reader has put a _ before digits
  end
end
