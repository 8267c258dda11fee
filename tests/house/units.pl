# Two rules about units, each with a short list of exceptions that have a reason. Prints each offence;
# exit 1 if there is any. An exception that is none any more is an offence, too.
#   units.pl SOURCE_DIR ROOM...
# A unit is a header and the sources of its name: x.h, x.cc, and those x_*.cc in its folder that have
# no header of their own. A source without a header is a unit of its own.
#
# 1. No circles: units do not include each other, by whatever way (tests/house/circles.txt). The
#    extension for PostgreSQL has one header for all; there a unit is a section of it,
#    "/* ---- x.c ---- */", which declares what x.c defines, and a unit includes those whose names its
#    source uses.
# 2. Tests are found by name: the unit <room>/.../x is tested by tests/<room>/x_test.cc
#    (tests/house/tested_elsewhere.txt). A header alone is a unit to be tested if a function in it has
#    more than one line.
use strict;
use warnings;

my ($source, @rooms) = @ARGV;
chdir $source or die "$source: $!";
my $offences = 0;
sub offence {
  print "$_[0]\n";
  $offences++;
}
my %includes;  # unit -> unit -> 1

sub slurp {
  open my $in, '<', $_[0] or die "$_[0]: $!";
  local $/;
  return scalar <$in>;
}

my @files = grep { -d } @rooms;
@files = @files ? split /\n/, `find @files -name '*.h' -o -name '*.cc'` : ();
my %is_header = map { /^(.*)\.h$/ ? ($1 => 1) : () } @files;

sub unit_of {
  my ($stem) = $_[0] =~ /^(.*)\.\w+$/;
  my $prefix = $stem;
  until ($is_header{$prefix}) {
    return $stem unless $prefix =~ s/_[^_\/]*$//;
  }
  return $prefix;
}

for my $file (@files) {
  my $unit = unit_of($file);
  for (slurp($file) =~ /^#include "relcache\/([^"]+\.h)"/mg) {
    my $other = unit_of($_);
    $includes{$unit}{$other} = 1 if $other ne $unit && -e;
  }
}

my $extension = 'integrations/postgres/src';
if (-e "$extension/relcache_checks.h") {
  my $owner = '';
  my %owner_of;
  for (split /\n/, slurp("$extension/relcache_checks.h")) {
    if (/^\/\* ---- (\w+)\.c ---- \*\/$/) { $owner = $1; }
    elsif (/^\/\* ---- /) { $owner = ''; }
    elsif (/^extern .*?(\w+)(\(|;| =)/ && $owner) { $owner_of{$1} = $owner; }
  }
  for my $file (glob "$extension/*.c") {
    my ($name) = $file =~ /(\w+)\.c$/;
    my $text = slurp($file) =~ s{/\*.*?\*/}{}gsr;
    for my $word ($text =~ /\b(\w+)\b/g) {
      my $other = $owner_of{$word};
      $includes{"$extension/$name"}{"$extension/$other"} = 1 if defined $other && $other ne $name;
    }
  }
}

# Tarjan's strongly connected components.
my (%index, %low, %on_stack, @stack, @circles);
my $next = 0;
sub visit {
  my ($unit) = @_;
  $index{$unit} = $low{$unit} = $next++;
  push @stack, $unit;
  $on_stack{$unit} = 1;
  for my $other (sort keys %{$includes{$unit} // {}}) {
    if (!defined $index{$other}) {
      visit($other);
      $low{$unit} = $low{$other} if $low{$other} < $low{$unit};
    } elsif ($on_stack{$other} && $index{$other} < $low{$unit}) {
      $low{$unit} = $index{$other};
    }
  }
  return if $low{$unit} != $index{$unit};
  my @circle;
  do {
    push @circle, pop @stack;
    delete $on_stack{$circle[-1]};
  } until $circle[-1] eq $unit;
  push @circles, join ' ', sort @circle if @circle > 1;
}
no warnings 'recursion';
defined $index{$_} or visit($_) for sort keys %includes;

# The lines "what: reason" of a list of exceptions, in which no line may be without a reason.
sub exceptions {
  my ($list) = @_;
  my %reasons;
  return %reasons unless -e $list;
  for (split /\n/, slurp($list)) {
    next if /^(#|$)/;
    if (/^([^:]+): (\S.*)$/) { $reasons{$1} = $2; }
    else { offence("$list: a line without a reason: $_"); }
  }
  return %reasons;
}

my $list = 'tests/house/circles.txt';
my %stays = exceptions($list);
for my $circle (sort @circles) {
  offence("a circle of units: $circle") unless delete $stays{$circle};
}
offence("$list: no such circle: $_") for sort keys %stays;

# Whether a function in the header has more than one line.
sub has_logic {
  my $text = slurp($_[0]) =~ s{\s*//.*}{}gr;
  return $text =~ /\)[\w ]*\{\n[^\n]*\n(?!\s*\})/;
}

# What the reasons name: "x_test.cc" in tests/<room>/, or a path.
$list = 'tests/house/tested_elsewhere.txt';
my %elsewhere = exceptions($list);
my %used;
my %units;
push @{$units{unit_of($_)}}, $_ for @files;
for my $unit (sort keys %units) {
  next unless grep { /\.cc$/ || has_logic($_) } @{$units{$unit}};
  my ($room) = $unit =~ /^(\w+)/;
  my ($name) = $unit =~ /(\w+)$/;
  next if -e "tests/$room/${name}_test.cc";
  my ($line) = grep { /\/\*$/ ? index($unit, substr $_, 0, -1) == 0 : $_ eq $unit } sort keys %elsewhere;
  if (!defined $line) { offence("$unit: no tests/$room/${name}_test.cc, and not in $list"); next; }
  $used{$line} = 1;
  for my $test ($elsewhere{$line} =~ /([\w\/]+_test\.\w+)/g) {
    offence("$list: $unit: no such test: $test") unless -e $test || -e "tests/$room/$test";
  }
}
offence("$list: tested by its name, or no unit to be tested: $_")
  for grep { !$used{$_} } sort keys %elsewhere;
exit($offences ? 1 : 0);
